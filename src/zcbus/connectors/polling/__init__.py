"""Sources without a log: their tables are polled for rows after a watermark, a column that grows with each change of a
row.

Inserted and updated rows are captured, with their values at the time of the poll. Deleted rows, a key's old value and
intermediate values are not; comparison and repair find the first two. A row counts as changed when its values differ
from those read before, so a repeated read publishes nothing.
"""
