"""Sources without a log: their tables are asked again and again for rows behind a watermark, a column that grows with
each change of a row.

What this sees: inserted and updated rows, as they are when they are read. What it does not: deleted rows, a key's old
value and what a row was in between; comparison and repair find the first two. A row counts as changed when its values
differ from those that were read before, so what is read twice is told once.
"""
