"""From topics to a target database: full loads, catching up, and the channel's channel applier."""
