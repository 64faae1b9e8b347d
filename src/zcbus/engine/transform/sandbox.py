"""The library that evaluates expressions, shut in: no files, no network, no settings, bounded memory."""

import threading

import duckdb

_local = threading.local()
_SETTINGS = (
    "SET threads = 1",
    "SET memory_limit = '256MB'",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


def connection() -> duckdb.DuckDBPyConnection:
    """This thread's connection to an empty database in memory."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is None:
        found = duckdb.connect(":memory:")
        for statement in _SETTINGS:
            found.execute(statement)
        _local.connection = found
    return found


def give_up() -> None:
    """Close this thread's connection: after an error nobody expected the next one begins anew."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is not None:
        _local.connection = None
        found.close()
