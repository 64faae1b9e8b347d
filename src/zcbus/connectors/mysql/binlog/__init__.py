"""Decodes the events of the binary log into Arrow columns. Knows no captured table and opens no connection."""
