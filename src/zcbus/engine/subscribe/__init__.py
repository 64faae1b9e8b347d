"""Subscribe: from topics to a target database, by full loads, catch-up and the channel applier."""
