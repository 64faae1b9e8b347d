"""MySQL and MariaDB as a source. Nothing is created on the server: its binlog serves all replicas."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zcbus.connectors.errors import AccessDenied, LogPositionLost, SourceNotReady, TableMissing, TableRefused
from zcbus.connectors.mysql.capture import position as positions
from zcbus.connectors.mysql.capture.gtids import check_contains, gtids_at
from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.mysql.capture.stream import MySQLChangeStream
from zcbus.connectors.mysql.catalog.discover import describe_layouts
from zcbus.connectors.mysql.connection.grants import read_grants
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.origin import identity
from zcbus.connectors.mysql.snapshot.reader import MySQLSnapshot
from zcbus.connectors.mysql.snapshot.rows import estimated_rows
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import (
    CapturedTable,
    ChangeStream,
    IdentifiedLog,
    MeasuredLog,
    SchemaHistory,
    SnapshotReader,
)
from zcbus.connectors.source_log import SourceLog
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

_REQUIRED = {"log_bin": "ON", "binlog_format": "ROW", "binlog_row_image": "FULL", "binlog_row_value_options": ""}


class MemoryHistory:
    """A SchemaHistory in memory, for captures that are never resumed."""

    def read(self) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        return


class MySQLSource(IdentifiedLog, MeasuredLog):
    """See Source."""

    def __init__(self, options: ConnectionOptions, log: SourceLog) -> None:
        self._options, self._log = options, log
        self._newest: LogFile | None = None

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        with Session(self._options, "source") as session:
            self._check_settings(session)
            self._check_rights(session)
            layouts = describe_layouts(session, [table.name for table in tables])
            for error in _refusals(tables, [layout.schema for layout in layouts]):
                raise error
            return self._end(session)[1]

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> list[TableMissing | TableRefused]:
        return list(_refusals(tables, schemas))

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> ChangeStream:
        with Session(self._options, "source") as session:
            newest, end = self._end(session)
            start = end if after is None else after
            # Transactions read from another server are anywhere in this log, also after this server's own.
            by_set = self._log.number > 0 and gtid_set != ""
            if by_set:
                check_contains(session, gtid_set)
            else:
                self._check_available(session, newest, end, start)
            file = replace(newest, number=0) if by_set else newest.holding(start)
            gtids = gtids_at(session, file, start.offset, gtid_set)
        kept = history or MemoryHistory()
        return MySQLChangeStream(self._options, self._log, tables, file, start, kept, gtids, by_set)

    def open_snapshot(self) -> SnapshotReader:
        return MySQLSnapshot(self._options, self._log)

    def estimate(self, table: TableSchema) -> int | None:
        with Session(self._options, "source") as session:
            return estimated_rows(session, table)

    def log_identity(self) -> str:
        with Session(self._options, "source") as session:
            return positions.log_identity(session)

    def log_end(self) -> Position:
        with Session(self._options, "source") as session:
            positions.check_identity(session, self._log)
            return self._end(session)[1]

    def describe_position(self, position: Position) -> str:
        if self._newest is None:
            with Session(self._options, "source") as session:
                self._newest, _ = self._end(session)
        return f"{self._newest.holding(position).name}:{position.offset}"

    def identity(self) -> str:
        with Session(self._options, "source") as session:
            return identity(session)

    def backlog_bytes(self, node: str, after: Position | None) -> int | None:
        if after is None:
            return None
        with Session(self._options, "source") as session:
            return positions.bytes_after(session, after, self._log)

    def _end(self, session: Session) -> tuple[LogFile, Position]:
        return positions.current(session, self._log.number)

    def _check_available(self, session: Session, newest: LogFile, end: Position, requested: Position) -> None:
        """Raises LogPositionLost unless the log has everything from a position on."""
        first, oldest = newest.holding(requested), LogFile.parse(positions.oldest(session))
        # After its end the server would wait for its log to grow: it was reset, or is another server.
        if requested > end or first.number < oldest.number:
            last = replace(oldest, number=oldest.number - 1)
            raise LogPositionLost(
                kind=self._options.kind,
                wanted=f"{first.name}:{requested.offset}",
                oldest=oldest.name,
                gap=f"{first.name} … {last.name}" if first.number < oldest.number else "",
                detail=f"the log ends at {newest.name}:{end.offset}",
            )

    def _check_settings(self, session: Session) -> None:
        for name, expected in _REQUIRED.items():
            value = session.variable(name)
            if value.upper() != expected:
                raise SourceNotReady(kind=self._options.kind, setting=name, value=value, expected=expected)

    def _check_rights(self, session: Session) -> None:
        grants = read_grants(session)
        if not (grants.globally("REPLICATION SLAVE") or grants.globally("SUPER")):
            options = self._options
            raise AccessDenied(
                kind=options.kind,
                address=options.address,
                user=options.user,
                detail="REPLICATION SLAVE is missing",
            )


def _refusals(tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]) -> Iterator[TableRefused]:
    for table, schema in zip(tables, schemas, strict=True):
        reason = next(((name, why) for name in table.key if (why := _key_refusal(schema, name))), None)
        if reason is not None:
            yield TableRefused(table=str(table.name), column=reason[0], reason=reason[1])


def _key_refusal(schema: TableSchema, column: str) -> str:
    if column not in schema.names:
        return "key-column-missing"
    return "key-column-unsupported" if schema.column(column).type.kind is Kind.UNSUPPORTED else ""
