"""Processes that start in milliseconds: a server loads their libraries once, and forks."""
