"""What SQL dialects share."""
