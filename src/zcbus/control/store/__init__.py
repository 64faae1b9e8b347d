"""The metadata store: engine, tables, migrations. The only place that knows SQLite and PostgreSQL apart."""
