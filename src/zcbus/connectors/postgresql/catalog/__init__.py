"""Schemas, tables, columns and keys as the system catalog describes them, and their types in neutral terms."""
