"""Search-based tests of web services: `wallace.fuzz(app, calls=5000)` in a test of your own."""

from wallace_driver.testing import Failure, FaultsFoundError, fuzz

__all__ = ["Failure", "FaultsFoundError", "fuzz"]
