"""Writing to PostgreSQL: creating and altering tables, loading and applying batches, storing appliers' positions."""
