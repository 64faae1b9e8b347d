"""Cassandra: rows with timestamps, spread over a cluster by their partition keys."""
