"""The demo: a private PostgreSQL with a small shop under constant change."""
