"""Databases of the service: what it executes, how near conditions are, rows for tests, state."""
