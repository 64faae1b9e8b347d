"""Db2 for Linux, UNIX and Windows."""
