"""Makes a Python web service white-box: instruments it as it is imported, and serves the driver."""

__version__ = "0.1.0"
