"""DuckDB databases in files of the agent's host."""
