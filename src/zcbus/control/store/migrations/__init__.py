"""Alembic's scripts. Written by hand, run on SQLite and PostgreSQL alike; a test compares them with the tables."""
