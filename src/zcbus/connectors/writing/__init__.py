"""Targets without a session of SQL: a Writer of a kind as the TargetSession and the TableReader that engines use."""
