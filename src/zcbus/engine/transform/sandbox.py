"""Sandbox of the library that evaluates expressions: no files, no network, no settings, limited memory and lengths.

The library does not count all memory, so user-written SQL runs where the operating system limits the process
(zcbus.engine.transform.confinement).
"""

import threading

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.model.arrow import ArrowArray

MAX_VALUE_LENGTH = 16 << 20
"""Maximum bytes of a computed value."""

_local = threading.local()
_LOCKED_DOWN = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


# The library allocates a result before it checks its limits. A number that does not fit is an error.
_LIMITED = (
    "CREATE OR REPLACE TEMP MACRO lpad(a, b, c) AS system.main.lpad(a, CAST(CAST(b AS DECIMAL(7, 0)) AS INTEGER), c)",
    "CREATE OR REPLACE TEMP MACRO rpad(a, b, c) AS system.main.rpad(a, CAST(CAST(b AS DECIMAL(7, 0)) AS INTEGER), c)",
    # Its time and memory grow with the product of the lengths.
    "CREATE OR REPLACE TEMP MACRO levenshtein(a, b) AS CASE WHEN length(a) * length(b) > 25000000 "
    "THEN error('levenshtein: the texts are too long') ELSE system.main.levenshtein(a, b) END",
)


def lock_down(database: duckdb.DuckDBPyConnection, memory_mb: int) -> None:
    """Lock a database down. Cannot be undone."""
    for statement in (*_LIMITED, "SET threads = 1", f"SET memory_limit = '{memory_mb}MB'", *_LOCKED_DOWN):
        database.execute(statement)


def connection() -> duckdb.DuckDBPyConnection:
    """This thread's connection to an empty database in memory."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is None:
        found = duckdb.connect(":memory:")
        lock_down(found, 256)
        _local.connection = found
    return found


def too_long(batch: pa.RecordBatch) -> str | None:
    """Name of a column with a value above MAX_VALUE_LENGTH; None: there is none."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
            lengths: ArrowArray = pc.binary_length(column)  # type: ignore[call-overload]  # the stubs know no union
            longest = pc.max(lengths).as_py()
            if longest is not None and longest > MAX_VALUE_LENGTH:
                return name
    return None


def discard_connection() -> None:
    """Close this thread's connection after an unexpected error; the next call opens another one."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is not None:
        _local.connection = None
        found.close()
