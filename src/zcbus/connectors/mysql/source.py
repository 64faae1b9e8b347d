"""MySQL and MariaDB as a source. Nothing is made on the server: its binlog is there for all replicas."""

from collections.abc import Iterator, Sequence

from zcbus.connectors.errors import AccessDenied, LogPositionLost, SourceNotReady, TableMissing, TableRefused
from zcbus.connectors.mysql import position as positions
from zcbus.connectors.mysql.capture import MySQLChangeStream
from zcbus.connectors.mysql.discover import describe_layouts
from zcbus.connectors.mysql.grants import read_grants
from zcbus.connectors.mysql.origin import identity
from zcbus.connectors.mysql.position import LogFile
from zcbus.connectors.mysql.rows import estimated_rows
from zcbus.connectors.mysql.session import Session
from zcbus.connectors.mysql.snapshot import MySQLSnapshot
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import CapturedTable, ChangeStream, SnapshotReader, StructureHistory
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

_WANTED = {"log_bin": "ON", "binlog_format": "ROW", "binlog_row_image": "FULL", "binlog_row_value_options": ""}


class ForgetfulHistory:
    """See StructureHistory: for captures that nobody goes on with."""

    def read(self) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        return


class MySQLSource:
    """See Source."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._newest: LogFile | None = None

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        with Session(self._options, "source") as session:
            self._check_settings(session)
            self._check_rights(session)
            for error in _refusals(session, tables):
                raise error
            return positions.current(session)[1]

    def refusals(self, tables: Sequence[CapturedTable]) -> list[TableMissing | TableRefused]:
        with Session(self._options, "source") as session:
            return list(_refusals(session, tables))

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: StructureHistory | None = None,
    ) -> ChangeStream:
        with Session(self._options, "source") as session:
            newest, end = positions.current(session)
            start = end if after is None else after
            oldest = LogFile.parse(positions.oldest(session))
            # Behind the end the server would wait for its log to grow: it was reset, or is another server.
            if start > end or start.file < oldest.number:
                raise self._lost(newest, end, oldest, start)
        file = newest.numbered(start.file)
        return MySQLChangeStream(self._options, tables, file, start, history or ForgetfulHistory())

    def open_snapshot(self) -> SnapshotReader:
        return MySQLSnapshot(self._options)

    def estimate(self, table: TableSchema) -> int | None:
        with Session(self._options, "source") as session:
            return estimated_rows(session, table)

    def log_identity(self) -> str:
        with Session(self._options, "source") as session:
            return session.variable("server_uuid") or f"server_id {session.variable('server_id')}"

    def log_end(self) -> Position:
        with Session(self._options, "source") as session:
            return positions.current(session)[1]

    def describe_position(self, position: Position) -> str:
        if self._newest is None:
            with Session(self._options, "source") as session:
                self._newest, _ = positions.current(session)
        return f"{self._newest.numbered(position.file).name}:{position.offset}"

    def identity(self) -> str:
        with Session(self._options, "source") as session:
            return identity(session)

    def backlog_bytes(self, node: str) -> int | None:
        return None  # the server keeps its log whether we read it or not

    def drop(self, node: str) -> None:
        return

    def _lost(self, newest: LogFile, end: Position, oldest: LogFile, wanted: Position) -> LogPositionLost:
        first, last = newest.numbered(wanted.file).name, newest.numbered(oldest.number - 1).name
        return LogPositionLost(
            kind=self._options.kind,
            wanted=f"{first}:{wanted.offset}",
            oldest=oldest.name,
            gap=f"{first} … {last}" if wanted.file < oldest.number else "",
            detail=f"the log ends at {newest.name}:{end.offset}",
        )

    def _check_settings(self, session: Session) -> None:
        for name, expected in _WANTED.items():
            value = session.variable(name)
            if value.upper() != expected:
                raise SourceNotReady(kind=self._options.kind, setting=name, value=value, expected=expected)

    def _check_rights(self, session: Session) -> None:
        grants = read_grants(session)
        if not (grants.globally("REPLICATION SLAVE") or grants.globally("SUPER")):
            options = self._options
            raise AccessDenied(
                kind=options.kind,
                host=options.host,
                port=options.port,
                user=options.user,
                detail="REPLICATION SLAVE is missing",
            )


def _refusals(session: Session, tables: Sequence[CapturedTable]) -> Iterator[TableRefused]:
    layouts = describe_layouts(session, [table.name for table in tables])
    for table, layout in zip(tables, layouts, strict=True):
        reason = next(((name, why) for name in table.key if (why := _key_refusal(layout.schema, name))), None)
        if reason is not None:
            yield TableRefused(table=str(table.name), column=reason[0], reason=reason[1])


def _key_refusal(schema: TableSchema, column: str) -> str:
    if column not in schema.names:
        return "key-column-missing"
    return "key-column-unsupported" if schema.column(column).type.kind is Kind.UNSUPPORTED else ""
