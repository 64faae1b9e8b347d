"""Computations that a comparison delegates to the server."""
