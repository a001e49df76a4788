"""Rewrites the syntax tree of a module so that it tells what it does."""
