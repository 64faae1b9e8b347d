"""The library that evaluates expressions, shut in: no files, no network, no settings, bounded memory and lengths.

The library does not count everything: what people wrote is looked at where the operating system limits the process
(zcbus.engine.transform.confinement).
"""

import threading

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.model.arrow import ArrowArray

LONGEST_VALUE = 16 << 20
"""Bytes of a value that an expression gives."""

_local = threading.local()
_SHUT_IN = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


# The library takes room for a result's length before it looks at its limits. A number that does not fit is an error.
_LIMITED = (
    "CREATE OR REPLACE TEMP MACRO lpad(a, b, c) AS system.main.lpad(a, CAST(CAST(b AS DECIMAL(7, 0)) AS INTEGER), c)",
    "CREATE OR REPLACE TEMP MACRO rpad(a, b, c) AS system.main.rpad(a, CAST(CAST(b AS DECIMAL(7, 0)) AS INTEGER), c)",
    # Its work and its room grow with the product of the lengths.
    "CREATE OR REPLACE TEMP MACRO levenshtein(a, b) AS CASE WHEN length(a) * length(b) > 25000000 "
    "THEN error('levenshtein: the texts are too long') ELSE system.main.levenshtein(a, b) END",
)


def shut_in(database: duckdb.DuckDBPyConnection, memory_mb: int) -> None:
    """Shut a database in, for good."""
    for statement in (*_LIMITED, "SET threads = 1", f"SET memory_limit = '{memory_mb}MB'", *_SHUT_IN):
        database.execute(statement)


def connection() -> duckdb.DuckDBPyConnection:
    """This thread's connection to an empty database in memory."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is None:
        found = duckdb.connect(":memory:")
        shut_in(found, 256)
        _local.connection = found
    return found


def too_long(batch: pa.RecordBatch) -> str | None:
    """A column with a value that is longer than one may be."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
            lengths: ArrowArray = pc.binary_length(column)  # type: ignore[call-overload]  # the stubs know no union
            longest = pc.max(lengths).as_py()
            if longest is not None and longest > LONGEST_VALUE:
                return name
    return None


def give_up() -> None:
    """Close this thread's connection: after an error nobody expected the next one begins anew."""
    found: duckdb.DuckDBPyConnection | None = getattr(_local, "connection", None)
    if found is not None:
        _local.connection = None
        found.close()
