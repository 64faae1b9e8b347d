"""What kinds share whose tables are files in a folder, of the agent's host or of a bucket."""
