"""A consistent image of tables at one position of the binary log, and rows as they are now."""
