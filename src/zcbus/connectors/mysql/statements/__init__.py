"""DDL statements of the log: parsed into actions, and applied to the known layout of a table."""
