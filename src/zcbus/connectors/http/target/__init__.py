"""HTTP interfaces as targets: rows as requests, and signed events (webhooks)."""
