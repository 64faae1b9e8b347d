"""Applying changes: the channel applier, parallel appliers by key hash, tables that catch up alone."""
