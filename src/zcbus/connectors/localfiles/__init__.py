"""CSV, TSV and JSON lines in folders on the agent's host."""
