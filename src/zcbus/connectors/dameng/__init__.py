"""Dameng (DM) 8."""
