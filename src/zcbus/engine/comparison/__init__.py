"""Comparing a subscribed table with its source, and repairing what differs."""
