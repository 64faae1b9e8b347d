"""H2 servers."""
