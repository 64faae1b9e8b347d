"""Changes of a database in commit order: publication, replication slot, stream of frames."""
