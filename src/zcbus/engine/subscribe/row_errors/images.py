"""Single rows between Arrow batches and the JSON in which row errors keep them."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import NotAppended
from zcbus.model.types import Kind

Image = dict[str, str | None]
_MOST_VALUE = 200
"""Characters of a value in a statement that is shown."""


def first_image(batch: pa.RecordBatch) -> Image:
    """The first row; binary values in hexadecimal."""
    values = {name: batch.column(name)[0].as_py() for name in batch.schema.names}
    return {name: "\\x" + value.hex() if isinstance(value, bytes) else value for name, value in values.items()}


def batch_of(image: Mapping[str, str | None], columns: Sequence[MappedColumn]) -> pa.RecordBatch:
    """A batch of one row with the columns that the image has."""
    present = [column for column in columns if column.source in image]
    arrays = [_array(image[column.source], column) for column in present]
    return pa.RecordBatch.from_arrays(arrays, names=[column.source for column in present])


def _array(value: str | None, column: MappedColumn) -> "pa.Array[pa.Scalar[pa.DataType]]":
    if column.type.kind is Kind.BINARY:
        return pa.array([None if value is None else bytes.fromhex(value.removeprefix("\\x"))], pa.binary())
    return pa.array([value], pa.string())


def key_columns(target: TargetTable) -> list[MappedColumn]:
    """The target's key in its order."""
    by_target = {column.target: column for column in target.columns}
    return [by_target[name] for name in target.key]


def key_of(image: Mapping[str, str | None], target: TargetTable) -> Image:
    """The key's part of an image; without a key all of it."""
    columns = key_columns(target) or [column for column in target.columns if column.source in image]
    return {column.source: image.get(column.source) for column in columns}


def put(session: TargetSession, target: TargetTable, before: Image, after: Image) -> None:
    """Bring one row from one image to the other: delete it, replace it whole, or set the columns that are there.
    Without a key a row can only be added: else raises NotAppended."""
    key = key_columns(target)
    if not key:
        if before:
            raise NotAppended(target.name)
        if after:
            session.load(target, batch_of(after, target.columns))
        return
    if not after:
        if before:
            session.delete(target, batch_of(before, key))
        return
    if all(column.source in after for column in target.columns):
        if before and key_of(before, target) != key_of(after, target):
            session.delete(target, batch_of(before, key))
        session.upsert(target, batch_of(after, target.columns))
        return
    base = before or key_of(after, target)
    session.update(target, batch_of(base, key), batch_of(after, target.columns))


def statement_of(target: TargetTable, before: Image, after: Image) -> str:
    """What `put` amounts to, as one statement for people."""
    names = {column.source: _quoted(column.target) for column in target.columns}
    table = f"{_quoted(target.name.schema)}.{_quoted(target.name.table)}"
    where = _conditions(key_of(before or after, target), names)
    known = {name: value for name, value in after.items() if name in names}
    if not after:
        words = ("DELETE FROM", table, "WHERE", where)
    elif before:
        words = ("UPDATE", table, "SET", f"{_pairs(known, names, ', ')} WHERE {where}")
    else:
        columns, values = ", ".join(names[name] for name in known), ", ".join(map(_literal, known.values()))
        words = ("INSERT INTO", table, f"({columns})", f"VALUES ({values})")
    return " ".join(words)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _pairs(image: Image, names: Mapping[str, str], between: str) -> str:
    return between.join(f"{names[name]} = {_literal(value)}" for name, value in image.items() if name in names)


def _conditions(image: Mapping[str, str | None], names: Mapping[str, str]) -> str:
    same = {name: " IS NULL" if value is None else f" = {_literal(value)}" for name, value in image.items()}
    return " AND ".join(names[name] + condition for name, condition in same.items() if name in names)


def _literal(value: str | None) -> str:
    if value is None:
        return "NULL"
    shown = value if len(value) <= _MOST_VALUE else value[:_MOST_VALUE] + "…"
    return "'" + shown.replace("'", "''") + "'"
