"""Code shared by SQL dialects."""
