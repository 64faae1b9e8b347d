"""Delta Lake tables in a folder, of the agent's host or of a bucket."""
