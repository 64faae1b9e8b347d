"""ClickHouse: rows with versions, in tables that keep the last one of each key."""
