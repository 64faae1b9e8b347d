"""Queries of data services: the values that a caller gives, and running them."""
