"""A consistent image of tables at one position of the log, and rows as they are now."""
