"""The frozen vocabulary: types, table schemas, positions, changes, states. No I/O, nothing of any database."""
