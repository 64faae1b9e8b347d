"""Processes that start in milliseconds: one process loads a program's libraries once, and forks.

`server` is that process, `client` asks it from an event loop. Nothing here knows what the processes do.
"""
