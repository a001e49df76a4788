"""The driver protocol over HTTP, for engines."""
