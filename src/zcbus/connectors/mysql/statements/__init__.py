"""Statements of the log that change structure: read into actions, and applied to what is known of a table."""
