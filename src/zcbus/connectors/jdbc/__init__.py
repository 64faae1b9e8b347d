"""Databases that are reached by a JDBC driver: the shared body of their kinds, which differ by a Dialect."""
