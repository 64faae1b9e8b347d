"""PostgreSQL 12+ as source and target."""
