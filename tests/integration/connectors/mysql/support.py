"""Shared parts of the tests of this connector."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyarrow as pa

from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import CapturedTable, ChangeStream, MappedColumn, TargetTable
from zcbus.model.changes import ChangeFrame, Operation
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

DEADLINE = 20.0
Row = dict[str, Any]


def describe(options: ConnectionOptions, table: str) -> TableSchema:
    """A table's schema."""
    with connector().discoverer(options) as discoverer:
        return discoverer.describe([TableName(options.database, table)])[0]


def captured(database: str, **keys: str) -> list[CapturedTable]:
    """Tables by name with their single key column."""
    return [CapturedTable(TableName(database, table), (key,)) for table, key in keys.items()]


def target_table(schema: TableSchema, database: str, table: str | None = None) -> TargetTable:
    """The table under the same column names in another database."""
    columns = tuple(
        MappedColumn(column.name, column.name, column.type, column.nullable)
        for column in schema.columns
        if column.type.kind != "unsupported"
    )
    return TargetTable(TableName(database, table or schema.name.table), columns, schema.key(), schema)


def batch(**columns: Sequence[str | bytes | None]) -> pa.RecordBatch:
    """Canonical columns; bytes make binary ones."""
    arrays = []
    for values in columns.values():
        binary = any(isinstance(value, bytes) for value in values)
        arrays.append(pa.array(list(values), pa.binary() if binary else pa.string()))
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))


def read_until(stream: ChangeStream, enough: Callable[[list[ChangeFrame]], bool]) -> list[ChangeFrame]:
    """Frames until they are enough; fails after a deadline."""
    frames: list[ChangeFrame] = []
    deadline = time.monotonic() + DEADLINE
    while not enough(frames):
        assert time.monotonic() < deadline, f"{len(frames)} frames came"
        frames += [frame for frame in stream.read(0.2) if isinstance(frame, ChangeFrame)]
    return frames


def changes_after(
    options: ConnectionOptions, tables: Sequence[CapturedTable], after: Position, until: Position | None = None
) -> list[ChangeFrame]:
    """Everything from a position up to now (or `until`)."""
    source = connector().source(options)
    end = until or source.prepare("test", tables)
    frames: list[ChangeFrame] = []
    deadline = time.monotonic() + DEADLINE
    with source.open_changes("test", tables, after) as stream:
        while True:
            assert time.monotonic() < deadline, f"{len(frames)} frames came"
            for frame in stream.read(0.2):
                if isinstance(frame, ChangeFrame):
                    frames.append(frame)
                elif frame.position >= end:
                    return frames
            if frames and frames[-1].complete and frames[-1].last_position >= end:
                return frames


def flat(frames: Iterable[ChangeFrame]) -> list[tuple[str, str, Row, Row]]:
    """Every change in log order as (table, operation, row, key before)."""
    found = []
    for frame in frames:
        within = []
        for table in frame.tables:
            rows, keys = table.rows.to_pylist(), table.keys_before.to_pylist()
            for order, operation, row, key in zip(
                table.order.to_pylist(), table.operations.to_pylist(), rows, keys, strict=True
            ):
                within.append((order or 0, table.schema.name.table, Operation(operation or 0).name, row, key))
        found += [change[1:] for change in sorted(within, key=lambda change: change[0])]
    return found


def binlog_position(server: MariaDBServer) -> Position:
    """Where the server writes now."""
    file, offset, *_ = server.rows("SHOW MASTER STATUS")[0]
    return Position(int(file.rpartition(".")[2]), int(offset))
