"""Microsoft SQL Server."""
