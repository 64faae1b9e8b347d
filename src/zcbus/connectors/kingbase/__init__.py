"""KingbaseES."""
