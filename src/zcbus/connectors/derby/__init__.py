"""Apache Derby network servers."""
