"""Finds the service's own modules, and loads them rewritten."""
