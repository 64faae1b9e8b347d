"""Source side and target side of a compared table: columns, forms, reading."""

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from zcbus.connectors.conditions import Comparison, Condition, Junction, Membership
from zcbus.connectors.reading import ROW_BYTES, KeySums, TableReader, full_row_form, key_sums, read_full_rows
from zcbus.connectors.reading import Key as CanonicalKey
from zcbus.connectors.roles import Target
from zcbus.engine.comparison.forms import ComparedColumn, Form, form_of
from zcbus.engine.comparison.key_ranges import KeyRange
from zcbus.engine.comparison.rows import Key, Part, keys_in_form, source_keys
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, KEY_COMPUTED, TableStopped
from zcbus.model.arrow import ArrowArray
from zcbus.model.batches import concat, select
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

if TYPE_CHECKING:
    from zcbus.engine.subscribe.schema.mapping import Mapped

ROWS = 20_000
"""Rows of a batch."""

Row = dict[str, str | None]
"""Canonical values by the names that both sides share; bytes in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of a table's comparison."""

    mapped: "Mapped"
    source: TableSchema
    """The source's table, with only the columns to read."""
    target: TableSchema
    columns: tuple[ComparedColumn, ...]
    key: tuple[ComparedColumn, ...]
    """Empty for a table without a key: its rows can only be counted."""

    @property
    def source_key(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.key)

    @property
    def target_key(self) -> tuple[str, ...]:
        return tuple(column.target for column in self.key)


def plan(
    mapped: "Mapped",
    key: tuple[str, ...],
    source: TableSchema,
    existing: TableSchema,
    target: Target,
    *,
    strict: bool,
    chosen: Collection[str] = (),
) -> Plan:
    """`chosen`: source names of the columns to compare in addition to the key; (): all replicated columns. Raises
    TableStopped if the target lacks a column, or if the key is computed."""
    in_target = {column.name: column for column in existing.columns}
    compared = [one for one in mapped.table.columns if not chosen or one.source in chosen or one.source in key]
    lacking = [column.target for column in compared if column.target not in in_target]
    lacking += sorted(set(chosen) - {column.source for column in compared})
    if lacking:
        raise TableStopped(COLUMN_NOT_IN_TARGET, table=existing.name, columns=", ".join(lacking))
    columns = tuple(
        ComparedColumn(
            column.source,
            column.target,
            column.type,
            in_target[column.target].type,
            # The form of a key column also defines its order.
            form_of(column.type, in_target[column.target].type, strict=strict and column.source not in key),
            target.stored_form,
        )
        for column in compared
    )
    by_name = {column.name: column for column in columns}
    for name in key:
        if by_name[name].source_type != source.column(name).type:
            raise TableStopped(KEY_COMPUTED, table=source.name, column=name)
    needed = {*(by_name if mapped.shaping is None else mapped.inputs), *key}
    return Plan(
        mapped,
        replace(source, columns=tuple(column for column in source.columns if column.name in needed)),
        replace(existing, columns=tuple(in_target[column.target] for column in columns)),
        columns,
        tuple(by_name[name] for name in key),
    )


FULL_ROW = ComparedColumn(
    ROW_BYTES,
    ROW_BYTES,
    DataType(Kind.BINARY, ""),
    DataType(Kind.BINARY, ""),
    Form.EXACT,
    lambda values, _ours, _theirs: values,
)
"""Stands for all columns of a row that is compared by its bytes."""


class SourceSide:
    """The source's rows as the target should have them."""

    def __init__(self, plan: Plan, reader: TableReader) -> None:
        self._plan, self._reader = plan, reader

    def count(self) -> int:
        """Number of rows now."""
        plan = self._plan
        shaping = plan.mapped.shaping
        if shaping is None:
            return self._reader.count(plan.source)
        read = self._reader.read(plan.source, (), None, ROWS, where=plan.mapped.necessary)
        return sum(shaping.rows(rows).num_rows for rows, _ in read)

    def full_row_form(self) -> str:
        """See FullRowReader.full_row_form; also empty for a table with transforms."""
        return "" if self._plan.mapped.shaping is not None else full_row_form(self._reader, self._in_order())

    def full_row_parts(self) -> Generator[Part, None, None]:
        """As `parts`, with FULL_ROW in place of the columns."""
        plan = self._plan
        for rows in read_full_rows(self._reader, self._in_order(), plan.source_key, ROWS):
            yield Part(rows, source_keys(plan, rows))

    def _in_order(self) -> TableSchema:
        """The source's table with its columns in the order of the target."""
        source = self._plan.source
        return replace(source, columns=tuple(source.column(column.name) for column in self._plan.columns))

    def parts(self, ranges: Sequence[KeyRange] = ()) -> Generator[Part, None, None]:
        """All rows, or the rows of ascending ranges, in the order of the key."""
        plan = self._plan
        for where in _conditions(ranges, plan.source_key[0]) or [plan.mapped.necessary]:
            for rows, _ in self._reader.read(plan.source, plan.source_key, None, ROWS, where=where):
                yield self._part(rows)

    def border(self, after: CanonicalKey | None, rows: int) -> CanonicalKey | None:
        """See TableReader.border."""
        return self._reader.border(self._plan.source, self._plan.source_key, after, rows)

    def between(self, after: CanonicalKey | None, until: CanonicalKey | None) -> Generator[Part, None, None]:
        """The rows behind key `after` up to key `until`, in the order of the key; None: no limit."""
        plan = self._plan
        for rows, _ in self._reader.read(plan.source, plan.source_key, after, ROWS, until, plan.mapped.necessary):
            yield self._part(rows)

    def sums(self) -> KeySums | None:
        """See SummingReader.key_sums; also None for a table with transforms."""
        plan = self._plan
        return None if plan.mapped.shaping is not None else key_sums(self._reader, self._in_order(), plan.source_key)

    def find(self, keys: Sequence[Key]) -> Part:
        """The rows with these keys, as they are now."""
        plan = self._plan
        columns = [plan.source.column(name) for name in plan.source_key]
        return _found(self._reader, plan.source, plan.source_key, columns, keys, self._part)

    def _part(self, rows: pa.RecordBatch) -> Part:
        plan = self._plan
        shaping = plan.mapped.shaping
        shaped = shaping.rows(rows) if shaping is not None else rows
        shaped = select(shaped, [column.name for column in plan.columns])
        return Part(shaped, source_keys(plan, shaped))


class TargetSide:
    """The target's rows."""

    def __init__(self, plan: Plan, reader: TableReader) -> None:
        self._plan, self._reader = plan, reader

    def count(self) -> int:
        """As SourceSide.count."""
        return self._reader.count(self._plan.target)

    def full_row_form(self) -> str:
        """See FullRowReader.full_row_form."""
        return full_row_form(self._reader, self._plan.target)

    def full_row_parts(self) -> Generator[Part, None, None]:
        """As SourceSide.full_row_parts."""
        plan = self._plan
        for rows in read_full_rows(self._reader, plan.target, plan.target_key, ROWS):
            named = rows.rename_columns([*plan.source_key, ROW_BYTES])
            yield Part(named, keys_in_form(plan, named, lambda column: column.from_target))

    def parts(self, ranges: Sequence[KeyRange] = ()) -> Generator[Part, None, None]:
        """As SourceSide.parts."""
        plan = self._plan
        for where in _conditions(ranges, plan.target_key[0]) or [None]:
            for rows, _ in self._reader.read(plan.target, plan.target_key, None, ROWS, where=where):
                yield self._part(rows)

    def between(self, after: CanonicalKey | None, until: CanonicalKey | None) -> Generator[Part, None, None]:
        """As SourceSide.between, with keys of the source."""
        plan = self._plan
        first, last = (None if key is None else _key_in_target(plan, key) for key in (after, until))
        for rows, _ in self._reader.read(plan.target, plan.target_key, first, ROWS, last):
            yield self._part(rows)

    def sums(self) -> KeySums | None:
        """See SummingReader.key_sums."""
        return key_sums(self._reader, self._plan.target, self._plan.target_key)

    def find(self, keys: Sequence[Key]) -> Part:
        """As SourceSide.find."""
        plan = self._plan
        columns = [plan.target.column(name) for name in plan.target_key]
        return _found(self._reader, plan.target, plan.target_key, columns, keys, self._part)

    def _part(self, rows: pa.RecordBatch) -> Part:
        named = rows.rename_columns([column.name for column in self._plan.columns])
        return Part(named, keys_in_form(self._plan, named, lambda column: column.from_target))


def _key_in_target(plan: Plan, source_key: CanonicalKey) -> CanonicalKey:
    """A key of the source as the target spells it."""
    columns = [plan.source.column(name) for name in plan.source_key]
    arrays = [_one(column, text) for column, text in zip(columns, source_key, strict=True)]
    key = source_keys(plan, pa.RecordBatch.from_arrays(arrays, names=list(plan.source_key)))
    common = Part(key, key).key(0)
    return tuple(_spelled(plan.target.column(c.target), text) for c, text in zip(plan.key, common, strict=True))


def _one(column: Column, text: str) -> ArrowArray:
    """A column of one row."""
    binary = column.type.kind is Kind.BINARY
    return pa.array([bytes.fromhex(text)], pa.binary()) if binary else pa.array([text], pa.string())


def _conditions(ranges: Sequence[KeyRange], column: str) -> list[Condition | None]:
    """One condition for each range: for one with several ordered ranges a server reads all rows between them."""
    return [key_range.condition(column) for key_range in ranges]


def _found(
    reader: TableReader,
    table: TableSchema,
    key: tuple[str, ...],
    columns: Sequence[Column],
    keys: Sequence[Key],
    part: Callable[[pa.RecordBatch], Part],
) -> Part:
    where = _any_of(columns, keys)
    found = [rows for rows, _ in reader.read(table, key, None, ROWS, where=where)]
    empty = pa.RecordBatch.from_arrays(
        [pa.array([], pa.binary() if c.type.kind is Kind.BINARY else pa.string()) for c in table.columns],
        names=list(table.names),
    )
    return part(concat([empty, *found]))


def _any_of(columns: Sequence[Column], keys: Sequence[Key]) -> Condition:
    if len(columns) == 1:
        return Membership(columns[0].name, tuple(_spelled(columns[0], key[0]) for key in keys))
    return Junction(
        "OR",
        tuple(
            Junction(
                "AND",
                tuple(Comparison(c.name, "=", _spelled(c, text)) for c, text in zip(columns, key, strict=True)),
            )
            for key in keys
        ),
    )


def _spelled(column: Column, text: str) -> str:
    """The common form of a value as the column's own canonical text."""
    kind = column.type.kind
    if kind is Kind.BOOLEAN and text in ("0", "1"):
        return "t" if text == "1" else "f"
    if kind is Kind.TIMESTAMP_TZ and "infinity" not in text:
        return text + "+00"
    return text


def key_rows(plan: Plan, keys: Sequence[Key]) -> pa.RecordBatch:
    """Keys as a batch for the data methods of a target's session."""
    arrays = []
    for index, column in enumerate(plan.key):
        source = plan.source.column(column.name)
        texts = [_spelled(source, key[index]) for key in keys]
        binary = source.type.kind is Kind.BINARY
        arrays.append(pa.array([bytes.fromhex(t) for t in texts], pa.binary()) if binary else pa.array(texts))
    return pa.RecordBatch.from_arrays(arrays, names=list(plan.source_key))


def rows_by_key(part: Part) -> dict[Key, Row]:
    """Rows by key, as they were read. For few rows: one object per value."""
    rows = part.rows.to_pylist()
    return {part.key(index): {name: _shown(value) for name, value in row.items()} for index, row in enumerate(rows)}


def _shown(value: Any) -> str | None:
    return value.hex() if isinstance(value, bytes) else value
