"""Databases, tables, columns and keys as information_schema describes them, and their types in neutral terms."""
