"""The library that evaluates expressions, shut in: no files, no network, no settings, bounded memory."""

import threading

import duckdb

_local = threading.local()
_SHUT_IN = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


def shut_in(database: duckdb.DuckDBPyConnection, memory_mb: int) -> None:
    """Shut a database in, for good."""
    for statement in ("SET threads = 1", f"SET memory_limit = '{memory_mb}MB'", *_SHUT_IN):
        database.execute(statement)


def connection() -> duckdb.DuckDBPyConnection:
    """This thread's connection to an empty database in memory."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is None:
        found = duckdb.connect(":memory:")
        shut_in(found, 256)
        _local.connection = found
    return found


def give_up() -> None:
    """Close this thread's connection: after an error nobody expected the next one begins anew."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is not None:
        _local.connection = None
        found.close()
