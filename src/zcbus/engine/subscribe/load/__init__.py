"""Full loads: from the full topic or directly from the source, each row exactly once."""
