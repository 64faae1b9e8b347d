"""The metadata store: engine, tables, migrations. Only this package distinguishes SQLite and PostgreSQL."""
