"""Writing to MySQL and MariaDB: creating and altering tables, loading and applying batches, storing appliers'
positions."""
