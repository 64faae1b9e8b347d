"""MongoDB: a collection for each table, a document for each row."""
