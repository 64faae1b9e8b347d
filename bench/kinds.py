"""Writing into kinds without SQL sessions of a server: rows of a load, then changes, beside the kind's own bulk tool;
and reading files.

Ours is a session of the connector, as a subscriber has it: transactions of so many rows, the checkpoint in each. The
tool only adds as many new rows, of columns that have their types already: a limit rather than a rival.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from tests.servers.clickhouse import ClickHouseServer
from tests.servers.duckdb import DuckDBFolder
from tests.servers.files import FilesFolder
from tests.servers.kafka import KafkaServer, open_broker
from tests.servers.kafka_topics import KafkaTopics
from tests.servers.lakes import DeltaFolder, IcebergFolder
from tests.servers.maven import ServerNotAvailable
from tests.servers.s3 import S3Server
from tests.servers.written_files import WrittenBucket, WrittenFolders

from bench import file_sources
from bench.databases import ROWS
from bench.kind_tools import TOOLS, Tool
from bench.report import Result
from bench.timing import compare, seconds
from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.typed_arrow import canonical
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

_BATCH = 50_000
"""Rows of a record of the bus; a transaction of changes has as many, as of a subscriber that has much to do."""
_LOAD_BYTES = 24 << 20
"""Of a transaction of a load, whose sessions take what has come in a second, up to this."""
_CHANGED = 5
"""A fifth as many changes as rows: half of them of rows that are there, a tenth deletions."""
_COLUMNS = (
    Column("id", DataType(Kind.INT64, "bigint"), nullable=False),
    Column("price", DataType(Kind.DECIMAL, "numeric(12,2)", precision=12, scale=2)),
    Column("status", DataType(Kind.TEXT, "varchar(16)", length=16)),
    Column("note", DataType(Kind.TEXT, "text")),
    Column("made", DataType(Kind.TIMESTAMP, "timestamp", precision=6)),
)
_STATES = ("new", "paid", "shipped", "delivered", "returned")
_SCHEMA = TableSchema(TableName("public", "orders"), "postgresql", _COLUMNS, ("id",))


def run() -> Iterator[Result]:
    """All kinds that this machine allows."""
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-kinds-") as folder:
        for kind, tool in TOOLS.items():
            with ExitStack() as stack:
                try:
                    server = _server(kind, stack)
                except ServerNotAvailable as reason:
                    print(f"{kind} is left out: {reason}", file=sys.stderr)
                    continue
                yield from _measure(kind, server, tool, folder)
    yield from file_sources.run(_rows(1, ROWS))


def _measure(kind: str, server: Any, tool: Tool, folder: str) -> Iterator[Result]:
    name, rows = spec_of(kind).name, _rows(1, ROWS)
    fresh = partial(server.fresh_database, "bench")
    peer = {tool.name: lambda: tool.add(server, fresh(), rows, folder)}
    yield from compare("kinds", f"{name}, load", "rows", ROWS, lambda: _load(kind, server, fresh(), rows), peer)
    count = max(ROWS // _CHANGED, 1)
    new = _rows(ROWS + 1, count)
    peer = {tool.name: lambda: tool.add(server, fresh(), new, folder)}
    changes = partial(_change, kind, server, rows, count)
    yield from compare("kinds", f"{name}, changes", "changes", count, lambda: changes(fresh()), peer)


def _load(kind: str, server: Any, database: str, rows: pa.Table) -> float:
    """Seconds of a load into a new table."""
    batches = _batches(rows)
    with connector(kind).target(server.options(database)).open() as session:
        table, version = _begin(kind, server, database, session)
        return seconds(lambda: _write(session, session.load, table, batches, version, _LOAD_BYTES))


def _change(kind: str, server: Any, rows: pa.Table, count: int, database: str) -> float:
    """Seconds of changes of a table that has rows."""
    with connector(kind).target(server.options(database)).open() as session:
        table, version = _begin(kind, server, database, session)
        version = _write(session, session.load, table, _batches(rows), version, _LOAD_BYTES)
        gone = max(count // 10, 1)
        put = _batches(_rows(ROWS - count // 2 + 1, count - gone))
        keys = _batches(rows.slice(0, gone).select(["id"]))

        def work() -> None:
            following = _write(session, session.upsert, table, put, version)
            _write(session, session.delete, table, keys, following)

        return seconds(work)


def _begin(kind: str, server: Any, database: str, session: TargetSession) -> tuple[TargetTable, int]:
    """A table, and the next version of the checkpoint: as of a subscriber, whose session has committed before."""
    table = _table(kind, server, database)
    session.prepare_store()
    session.create_table(table, CleanMode.DROP)
    return table, _commit(session, 1)


def _write(
    session: TargetSession, write: Callable[[TargetTable, pa.RecordBatch], object], table: TargetTable,
    batches: Sequence[pa.RecordBatch], version: int, size: int = 0,
) -> int:  # fmt: skip
    """Transactions of about so many bytes, or of a batch each; returns the next version of the checkpoint."""
    open_bytes = 0
    for batch in batches:
        write(table, batch)
        open_bytes += batch.nbytes
        if open_bytes >= size:
            version, open_bytes = _commit(session, version), 0
    return _commit(session, version) if open_bytes else version


def _commit(session: TargetSession, version: int) -> int:
    session.write_checkpoints([Checkpoint("bench", "", version, "{}")])
    session.commit()
    return version + 1


def _batches(rows: pa.Table) -> list[pa.RecordBatch]:
    """In canonical form, as a subscriber has them from the bus."""
    arrays = [canonical(column.combine_chunks()) for column in rows.columns]
    whole = pa.RecordBatch.from_arrays(arrays, names=rows.schema.names)
    return [whole.slice(begin, _BATCH) for begin in range(0, len(rows), _BATCH)]


def _rows(first: int, count: int) -> pa.Table:
    """Rows of `orders` with typed columns."""
    ids = np.arange(first, first + count)
    made = pa.array(ids * 37_000_000 + 1_577_836_800_000_000).cast(pa.timestamp("us"))
    price: Any = pa.array(ids % 1_000_000).cast(pa.decimal128(21, 2)).cast(pa.decimal128(12, 2))
    status = pa.array([_STATES[one % len(_STATES)] for one in ids.tolist()])
    note = pa.array([None if one % 5 == 0 else f"note {one * 7919 % 999_983:032} 备注" for one in ids.tolist()])
    columns = [pa.array(ids), price, status, note, made]
    return pa.table(columns, names=[one.name for one in _COLUMNS])


def _table(kind: str, server: Any, database: str) -> TargetTable:
    columns = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in _COLUMNS)
    schema = spec_of(kind).capabilities.default_schema or database
    return TargetTable(TableName(schema, "orders"), columns, ("id",), _SCHEMA)


def _server(kind: str, stack: ExitStack) -> Any:
    """A server of a kind. Raises ServerNotAvailable."""
    if kind == "clickhouse":
        made = ClickHouseServer()
        stack.callback(made.remove)
        return made
    if kind == "s3":
        storage = S3Server()
        stack.callback(storage.remove)
        return WrittenBucket(storage)
    if kind == "kafka":
        broker = open_broker()
        if isinstance(broker, KafkaServer):
            stack.callback(broker.remove)
        topics = KafkaTopics(broker)
        stack.callback(topics.close)
        return topics
    files = FilesFolder()
    stack.callback(files.remove)
    folders = {"duckdb": DuckDBFolder, "delta": DeltaFolder, "iceberg": IcebergFolder, "localfiles": WrittenFolders}
    return folders[kind](files)
