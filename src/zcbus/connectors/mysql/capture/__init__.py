"""Changes of a server in commit order: reads the binary log, follows schema changes, makes frames."""
