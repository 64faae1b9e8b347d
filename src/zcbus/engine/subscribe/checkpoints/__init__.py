"""Positions and figures that the target stores in the transaction of the rows, and what moves them."""
