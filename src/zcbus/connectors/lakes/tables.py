"""Tables of lakes: what the kinds share of their structure and of their rows by key."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Protocol

import pyarrow as pa

from zcbus.connectors.lakes.types import LakeTypes, canonical_batch
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.typed_arrow import canonical, nulls, typed
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import Kind

KEY = "zcbus.key"
"""Property of a table: the names of its key, as JSON; two names where a change of them was cut off."""
KEYS_AT_ONCE = 20_000
TypedKey = tuple[object, ...]


class LakeTables(Protocol):
    """The tables of a folder or a namespace; see Writer."""

    def schemas(self, names: Sequence[TableName] | None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that are there."""

    def is_there(self, name: TableName) -> bool: ...

    def define(self, wanted: TableSchema) -> None:
        """Make a table, or give it these columns: new ones are empty in the rows that are there."""

    def reshape(self, change: Reshaping) -> None:
        """Let rows and structure follow an alteration. Done twice it does no more than once."""

    def drop(self, name: TableName) -> None:
        """Idempotent."""

    def clear(self, name: TableName) -> None:
        """Delete all rows."""

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys."""

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""


def key_text(names: Sequence[str | tuple[str, str]]) -> str:
    """The property KEY. `names`: a pair stands for the one of them that the table has."""
    return json.dumps(list(names), ensure_ascii=False)


def key_names(text: str, columns: Collection[str]) -> tuple[str, ...]:
    """The key by the property KEY; empty: the property is not ours."""
    try:
        named = [[one] if isinstance(one, str) else [str(name) for name in one] for one in json.loads(text)]
    except (ValueError, TypeError):
        return ()
    found = [next((name for name in names if name in columns), "") for names in named]
    return tuple(found) if all(found) else ()


def rows_by_key(
    types: LakeTypes,
    table: TableSchema,
    keys: Sequence[Key],
    read: Callable[[Sequence[TypedKey]], Iterator[pa.RecordBatch]],
) -> list[Row | None]:
    """See Writer.rows. `read`: rows of which at least those with these keys are none too few."""
    given = types.typed_keys(table, keys)
    wanted = [key for key in given if key is not None]
    if not wanted:
        return [None] * len(keys)
    asked = types.canonical_keys(table, given)
    left, found = set(asked), dict[Key, Row]()
    for part in read(wanted):
        batch = canonical_batch(_with_first(types, table, part, wanted))
        there = keys_of(batch.select(list(table.primary_key)))
        places = [place for place, key in enumerate(there) if key in left]
        of_interest = batch.take(pa.array(places, pa.int64())).to_pylist()
        found |= zip((there[place] for place in places), of_interest, strict=True)
    return [None if key is None else found.get(key) for key in asked]


def keys_in(batches: Iterator[pa.RecordBatch]) -> Iterator[list[Key]]:
    """Keys of rows that were read, in lists of bounded length."""
    for batch in batches:
        for begin in range(0, batch.num_rows, KEYS_AT_ONCE):
            yield keys_of(canonical_batch(batch.slice(begin, KEYS_AT_ONCE)))


def followed(
    types: LakeTypes,
    read: pa.RecordBatch,
    wanted: TableSchema,
    before: dict[str, str],
    filled: dict[str, str],
) -> pa.RecordBatch:
    """Rows under another structure. `before`: old names of columns; `filled`: what new ones hold."""
    arrays = [_column(types, read, one, before.get(one.name, ""), filled.get(one.name)) for one in wanted.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=types.stored(wanted))


def _column(types: LakeTypes, read: pa.RecordBatch, column: Column, before: str, value: str | None) -> Any:
    """Of all rows: the column as it is, else what had it before, else a value."""
    wanted = types.arrow_type(types.declared(column.type)[0])
    found = nulls(len(read), wanted)
    for name in (before, column.name):
        if name in read.schema.names:
            own = typed(canonical(read.column(name)), wanted)
            found = compute.coalesce(own, found)
    if value is None:
        return found
    given = pa.array([value], pa.binary() if column.type.kind is Kind.BINARY else pa.string())
    return compute.coalesce(found, typed(given, wanted)[0])


def _with_first(types: LakeTypes, table: TableSchema, read: pa.RecordBatch, keys: Sequence[TypedKey]) -> pa.RecordBatch:
    """The rows whose first value of the key is one of these keys': what a range was read for."""
    first = table.primary_key[0]
    values = pa.array([key[0] for key in keys], types.arrow_type(table.column(first).type))
    return read.filter(compute.is_in(read.column(first), value_set=values))
