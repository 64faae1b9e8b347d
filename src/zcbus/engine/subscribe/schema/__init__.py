"""Columns of a source table in its target, and schema changes carried over."""
