"""Images of single rows in row errors, also of rows without a computed value, and a table's quarantined rows by key."""

from collections.abc import Iterable, KeysView, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import EXPRESSION_FAILED, ExpressionFailed, NotAppended
from zcbus.model.row_errors import RowError, RowOperation
from zcbus.model.types import Kind

if TYPE_CHECKING:
    from zcbus.engine.subscribe.schema.mapping import Mapped

Image = dict[str, str | None]
_MAX_VALUE = 200
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
    """The key columns of an image; the complete image for a table without a key."""
    columns = key_columns(target) or [column for column in target.columns if column.source in image]
    return {column.source: image.get(column.source) for column in columns}


def put(session: TargetSession, target: TargetTable, before: Image, after: Image) -> None:
    """Change one row from one image to the other: delete it, replace it, or set the present columns.
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
    """One statement for operators that has the effect of `put`."""
    names = {column.source: _quoted(column.target) for column in target.columns}
    table = f"{_quoted(target.name.schema)}.{_quoted(target.name.table)}"
    where = _conditions(key_of(before or after, target), names)
    known = {name: value for name, value in after.items() if name in names}
    if not after:
        clauses = ("DELETE FROM", table, "WHERE", where)
    elif before:
        clauses = ("UPDATE", table, "SET", f"{_pairs(known, names, ', ')} WHERE {where}")
    else:
        columns, values = ", ".join(names[name] for name in known), ", ".join(map(_literal, known.values()))
        clauses = ("INSERT INTO", table, f"({columns})", f"VALUES ({values})")
    return " ".join(clauses)


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
    shown = value if len(value) <= _MAX_VALUE else value[:_MAX_VALUE] + "…"
    return "'" + shown.replace("'", "''") + "'"


Key = tuple[str | None, ...]


def key_tuple(image: Image, names: Iterable[str]) -> Key:
    """A row's key, hashable."""
    return tuple(image.get(name) for name in names)


@dataclass
class QuarantinedRows:
    """Open row errors of one table by the keys they concern: where the row is in the target, and where it should be.

    Changes count once `commit` was called; `rollback` forgets those since the last commit.
    """

    names: tuple[str, ...] = ()
    """The key's columns in the source."""
    _stored: dict[str, RowError] = field(default_factory=dict)
    _open: dict[str, RowError] | None = None
    _ids: dict[Key, list[str]] = field(default_factory=dict)
    """Error ids by key, in order. Indexed, so that one change among many rows stays cheap."""

    @classmethod
    def of(cls, errors: Iterable[RowError], names: tuple[str, ...]) -> "QuarantinedRows":
        """From the stored row errors, without schema changes and blocking errors."""
        kept = {e.id: e for e in errors if e.is_open and not e.blocking and e.operation is not RowOperation.DDL}
        quarantined = cls(names, kept)
        quarantined._index()
        return quarantined

    def by(self, names: tuple[str, ...]) -> "QuarantinedRows":
        """The same rows, indexed by that key."""
        if names != self.names:
            self.names = names
            self._index()
        return self

    @property
    def errors(self) -> dict[str, RowError]:
        return self._stored if self._open is None else self._open

    def __len__(self) -> int:
        return len(self.errors)

    def find(self, key: Key) -> RowError | None:
        """The latest error that concerns the row with that key."""
        found = self._ids.get(key)
        return self.errors[found[-1]] if found else None

    def keys(self) -> KeysView[Key]:
        return self._ids.keys()

    def put(self, error: RowError) -> None:
        """Quarantine a row, or update its error."""
        quarantined = self._changing()
        is_known = error.id in quarantined
        quarantined[error.id] = error
        if is_known:
            self._index()
        else:
            self._note(error)

    def drop(self, error: RowError) -> None:
        """Release a row."""
        known = self._changing().pop(error.id, None)
        for key in self._keys_of(known) if known is not None else ():
            self._ids[key].remove(error.id)
            if not self._ids[key]:
                del self._ids[key]

    def commit(self) -> None:
        """Keep the changes since the last commit."""
        if self._open is not None:
            self._stored, self._open = self._open, None

    def rollback(self) -> None:
        """Forget the changes since the last commit."""
        if self._open is not None:
            self._open = None
            self._index()

    def _changing(self) -> dict[str, RowError]:
        if self._open is None:
            self._open = dict(self._stored)
        return self._open

    def _index(self) -> None:
        self._ids = {}
        for error in self.errors.values():
            self._note(error)

    def _note(self, error: RowError) -> None:
        for key in self._keys_of(error):
            self._ids.setdefault(key, []).append(error.id)

    def _keys_of(self, error: RowError) -> list[Key]:
        return [key_tuple(image, self.names) for image in (error.before, error.after) if image]


@dataclass(frozen=True, slots=True)
class ExpressionError:
    """A row for which an expression or a condition fails."""

    after: Image
    lacks: tuple[str, ...]
    """Columns without a value; empty if only a condition failed."""
    error: ExpressionFailed


def without_value(mapped: "Mapped", row: pa.RecordBatch, error: ExpressionFailed) -> ExpressionError:
    """The error of one source row, complete or not. Raises TableStopped if the key has no value."""
    assert mapped.shaping is not None
    possible = mapped.shaping.possible(row)
    detail = "; ".join(f"{name}: {why}" for name, why in possible.failed.items())
    facts = error.facts | ({"detail": detail} if detail else {})
    lacks = tuple(name for name in possible.failed if name in mapped.shaping.computed)
    return ExpressionError(first_image(possible.row()), lacks, ExpressionFailed(**facts))


def image_to_put(error: RowError, mapped: "Mapped") -> Image:
    """The row to write for a row error; {}: none. Missing columns are computed again by the present expressions, if
    their inputs were stored; else an operator must provide them.

    Raises ExpressionFailed.
    """
    if error.code != EXPRESSION_FAILED or not error.after:
        return error.after
    row = batch_of(error.after, mapped.table.columns)
    filled = mapped.shaping.filled(row) if mapped.shaping is not None else None
    if filled is not None:
        return first_image(filled) if filled.num_rows else {}
    if error.edited and error.after.keys() >= set(error.lacks):
        return error.after
    raise ExpressionFailed(table=error.target, detail=error.detail)
