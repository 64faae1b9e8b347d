"""Capture of changes in commit order: reads the binary log, tracks schema changes, makes frames."""
