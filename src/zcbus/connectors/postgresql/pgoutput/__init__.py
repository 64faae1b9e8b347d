"""Decodes the messages of the output plugin `pgoutput` into Arrow columns. Opens no connection."""
