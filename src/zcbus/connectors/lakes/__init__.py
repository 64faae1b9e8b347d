"""Common parts of kinds whose tables are files in a folder, on the agent's host or in a bucket."""
