"""Continuous verification of subscribed tables while apply runs; see docs/decisions."""
