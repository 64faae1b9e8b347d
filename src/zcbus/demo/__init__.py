"""What `make run` shows on a first start: a private PostgreSQL with a small shop under constant change."""
