"""The service: how it is started, where it listens, what it offers, how it is reset."""
