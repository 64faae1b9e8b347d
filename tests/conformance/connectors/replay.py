"""Changes replayed one by one, as a reference for the engine's batches."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from tests.conformance.connectors.case import Row, rows_of
from zcbus.connectors.roles import ChangeStream, TargetSession, TargetTable
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, TableChanges
from zcbus.model.position import START, Position


class Change:
    """One change of one row."""

    def __init__(self, table: TableChanges, place: int, position: Position) -> None:
        self.table = table.schema.name.table
        self.operation = Operation(table.operations[place].as_py())
        self.position = position
        self.names = table.schema.names
        self.key_names = table.key
        self.row: Row = rows_of(table.rows.slice(place, 1))[0]
        self.key_before: Row = rows_of(table.keys_before.slice(place, 1))[0]
        self.unchanged = {name for name, mask in table.unchanged.items() if mask[place].as_py()}
        self._rows, self._keys, self._place = table.rows, table.keys_before, place

    @property
    def key(self) -> Row:
        return tuple(self.row[self.names.index(name)] for name in self.key_names)

    @property
    def sent(self) -> pa.RecordBatch:
        """The columns that have values, of this row."""
        names = [name for name in self.names if name not in self.unchanged]
        return self._rows.slice(self._place, 1).select(names)

    @property
    def before(self) -> pa.RecordBatch:
        return self._keys.slice(self._place, 1)

    def __repr__(self) -> str:
        return f"{self.table} {self.operation.name} {self.key_before} {self.row} at {self.position}"


def changes_of(frames: Sequence[ChangeFrame]) -> list[Change]:
    """All changes in log order."""
    return [change for frame in frames for change in _in_order(frame)]


def _in_order(frame: ChangeFrame) -> Iterator[Change]:
    files, offsets = frame.transactions.files.to_pylist(), frame.transactions.offsets.to_pylist()
    found = []
    for table in frame.tables:
        owners: list[Any] = table.transactions.to_pylist()
        for place, order in enumerate(table.order.to_pylist()):
            position = Position(files[owners[place]] or 0, offsets[owners[place]] or 0)
            found.append((order, Change(table, place, position)))
    orders = [order for order, _ in found]
    assert len(set(orders)) == len(orders)
    return (change for _, change in sorted(found, key=lambda pair: pair[0] or 0))


class Copy:
    """A source's tables in memory, kept by its changes. Nothing may come twice and nothing may be missing: an insert
    finds no row, an update or delete finds one."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[Row, dict[str, Any]]] = {}

    def put(self, table: str, key: Sequence[str], names: Sequence[str], rows: Sequence[Row]) -> None:
        """Rows of a snapshot."""
        for row in rows:
            named = dict(zip(names, row, strict=True))
            identity = tuple(named[name] for name in key)
            assert identity not in self.tables.setdefault(table, {})
            self.tables[table][identity] = named

    def apply(self, change: Change) -> None:
        rows = self.tables.setdefault(change.table, {})
        if change.operation == Operation.TRUNCATE:
            rows.clear()
            return
        old: dict[str, Any] = {}
        if change.operation in (Operation.UPDATE, Operation.DELETE):
            assert change.key_before in rows, change
            old = rows.pop(change.key_before)
        if change.operation in (Operation.INSERT, Operation.UPDATE):
            named = dict(zip(change.names, change.row, strict=True))
            for name in change.unchanged:
                named[name] = old[name]
            assert change.key not in rows, change
            rows[change.key] = named

    def rows(self, table: str) -> list[Row]:
        """In any order, but always the same for the same rows."""
        return sorted((tuple(row.values()) for row in self.tables.get(table, {}).values()), key=repr)


def replay(session: TargetSession, tables: dict[str, TargetTable], changes: Sequence[Change]) -> None:
    """Apply changes to a target one by one."""
    for change in changes:
        table = tables[change.table]
        if change.operation == Operation.TRUNCATE:
            session.truncate(table)
        elif change.operation == Operation.DELETE:
            assert session.delete(table, change.before) in (1, None), change
        elif change.operation == Operation.INSERT:
            session.upsert(table, change.sent)
        else:
            session.update(table, change.before, change.sent)


def read_until(
    stream: ChangeStream, enough: Callable[[list[Change]], bool], seconds: float = 60
) -> tuple[list[ChangeFrame], list[Change]]:
    """Frames and their changes up to a number of changes. The rules for frames are checked meanwhile."""
    frames: list[ChangeFrame] = []
    changes: list[Change] = []
    deadline, is_open = time.monotonic() + seconds, False
    last = START
    while is_open or not enough(changes):
        assert time.monotonic() < deadline, f"{len(changes)} changes came, the last ones {changes[-3:]}"
        for frame in stream.read(0.5):
            if isinstance(frame, HeartbeatFrame):
                assert not is_open
                assert frame.position >= last
                continue
            last = _check_frame(frame, last, is_open)
            is_open = not frame.complete
            frames.append(frame)
            changes += _in_order(frame)
    return frames, changes


def _check_frame(frame: ChangeFrame, last: Position, continues: bool) -> Position:
    """Positions never go back, an incomplete frame has one transaction. Returns the last complete position."""
    files, offsets = frame.transactions.files.to_pylist(), frame.transactions.offsets.to_pylist()
    positions = [Position(file or 0, offset or 0) for file, offset in zip(files, offsets, strict=True)]
    assert positions
    assert len(frame.transactions.commit_times) == len(positions)
    if not frame.complete:
        assert len(positions) == 1
        return last
    assert positions == sorted(set(positions))
    assert positions[0] > last
    return positions[-1]
