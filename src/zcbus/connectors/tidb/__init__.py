"""TiDB."""
