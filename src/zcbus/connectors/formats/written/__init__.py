"""Formats in which a target's files are written, and read back."""
