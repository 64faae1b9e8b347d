"""Checkpoints: positions and figures stored in the target with the rows, and their changes."""
