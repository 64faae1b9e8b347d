"""PostgreSQL as a source; see roles.Source."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from zcbus.connectors.errors import LogPositionLost, SourceNotReady, SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture import standby, timeline
from zcbus.connectors.postgresql.capture.backlog import END, log_end
from zcbus.connectors.postgresql.capture.lsn import format_lsn, place
from zcbus.connectors.postgresql.capture.publication import check_tables, refusals, set_publication
from zcbus.connectors.postgresql.capture.slots import Slot, create_slot, keep_on_standbys, object_name, read_slot
from zcbus.connectors.postgresql.capture.stream import PostgreSQLChangeStream
from zcbus.connectors.postgresql.catalog.size import estimated_rows
from zcbus.connectors.postgresql.check import OLDEST_VERSION
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.session import Connection, connect
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.origin import identity
from zcbus.connectors.postgresql.snapshot.reader import PostgreSQLSnapshotReader
from zcbus.connectors.roles import CapturedTable, MeasuredLog, RegisteredReader, SchemaHistory
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema

_DROP_SECONDS = 10.0
_FAILOVER_VERSION = 170000
"""Standbys can have logical slots."""


class PostgreSQLSource(MeasuredLog, RegisteredReader):
    """One publication and one lasting slot a node, both named `zcbus_<node>`."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        name = object_name(node)
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            self._check_settings(connection)
            slot = read_slot(connection, name)
            standby.check_slot_usable(connection, self._options, slot, is_new=after is None)
            check_tables(connection, self._options, name, tables)
            # The publication comes first: a slot cannot read log that is older than its publication.
            with standby.primary(connection, self._options) as writing:
                set_publication(writing, name, [table.name for table in tables])
                standby.wait_for_publication(connection, writing, name, self._options)
                failover = writing is connection and connection.info.server_version >= _FAILOVER_VERSION
            if slot is not None or after is not None:
                start = self._usable(connection, name, slot, after)
                if failover and slot is not None and not (slot.failover or slot.active):
                    with self._wired(replication=True) as wire:
                        keep_on_standbys(wire, name)
                return Position(0, start)
        with self._wired(replication=True) as wire, standby.standby_snapshot(wire, self._options):
            return create_slot(wire, self._options, name, "NOEXPORT_SNAPSHOT", lasting=True, failover=failover)

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> list[TableMissing | TableRefused]:
        # The owner of a table and its replica identity are not part of its schema.
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            return refusals(connection, self._options, "", tables)

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> PostgreSQLChangeStream:
        name = object_name(node)
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            slot = read_slot(connection, name)
            standby.check_slot_usable(connection, self._options, slot, is_new=False)
            check_tables(connection, self._options, name, tables)
            self._usable(connection, name, slot, after)
        if history is not None:
            with self._wired(replication=True) as wire:
                timeline.check_timeline(wire, history, after.offset if after is not None else 0, self._options.kind)
        return PostgreSQLChangeStream(self._options, name, tables, after, history)

    def open_snapshot(self) -> PostgreSQLSnapshotReader:
        return PostgreSQLSnapshotReader(self._options)

    def estimate(self, table: TableSchema) -> int | None:
        with self._wired(replication=False) as wire:
            return estimated_rows(wire, table)

    def log_end(self) -> Position:
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            return Position(0, log_end(connection))

    def describe_position(self, position: Position) -> str:
        return place(position)

    def identity(self) -> str:
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            return identity(connection)

    def backlog_bytes(self, node: str, after: Position | None) -> int | None:
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            row = connection.execute(_BACKLOG, [object_name(node)]).fetchone()
        return None if row is None else row[0]

    def drop(self, node: str) -> None:
        name = object_name(node)
        deadline = time.monotonic() + _DROP_SECONDS
        with translated(self._options, "source"), connect(self._options, "source") as connection:
            while (slot := read_slot(connection, name)) is not None and slot.active:
                if time.monotonic() > deadline:
                    detail = f"replication slot {name} is in use"
                    raise SourceUnavailable(kind=self._options.kind, address=self._options.address, detail=detail)
                connection.execute(_END_READER, [name])
                time.sleep(0.02)
            connection.execute(_DROP_SLOT, [name])
            with standby.primary(connection, self._options) as writing:
                writing.execute(f"DROP PUBLICATION IF EXISTS {quote.identifier(name)}")

    def _check_settings(self, connection: Connection) -> None:
        version = connection.info.server_version
        if version < OLDEST_VERSION * 10000:
            raise SourceNotReady(
                kind=self._options.kind, setting="version", value=version, expected=f"{OLDEST_VERSION} or newer"
            )
        row = connection.execute("SHOW wal_level").fetchone()
        if row is None or row[0] != "logical":
            value = row[0] if row else ""
            raise SourceNotReady(kind=self._options.kind, setting="wal_level", value=value, expected="logical")

    @contextmanager
    def _wired(self, replication: bool) -> Iterator[WireConnection]:
        with translated(self._options, "source"):
            wire = WireConnection(self._options, replication=replication)
            try:
                yield wire
            finally:
                wire.close()

    def _usable(self, connection: Connection, name: str, slot: Slot | None, after: Position | None) -> int:
        """The slot's position. Raises LogPositionLost if the slot cannot deliver everything after `after`."""
        end = log_end(connection)
        requested = after.offset if after is not None else 0
        confirmed_flush = (slot.confirmed_flush or 0) if slot is not None else 0
        if slot is None:
            raise self._lost(requested, "", end, f"replication slot {name} does not exist")
        if slot.lost:
            raise self._lost(requested, "", end, f"replication slot {name}: {slot.lost}")
        if after is not None and confirmed_flush > requested:
            # Only the platform acknowledges, and only what is durable: this is not the slot it had.
            raise self._lost(
                requested, format_lsn(confirmed_flush), confirmed_flush, f"replication slot {name} begins later"
            )
        if requested > end:
            raise self._lost(requested, "", end, f"the server's log ends before that, at {format_lsn(end)}")
        return confirmed_flush

    def _lost(self, requested: int, oldest: str, until: int, detail: str) -> LogPositionLost:
        gap = f"{until - requested} B" if 0 < requested < until else ""
        position = format_lsn(requested) if requested else ""
        return LogPositionLost(kind=self._options.kind, wanted=position, oldest=oldest, gap=gap, detail=detail)


_BACKLOG = f"""
SELECT {END} - pg_catalog.pg_wal_lsn_diff(restart_lsn, '0/0')::int8
  FROM pg_catalog.pg_replication_slots WHERE slot_name = %s
"""
_END_READER = """
SELECT pg_catalog.pg_terminate_backend(active_pid)
  FROM pg_catalog.pg_replication_slots WHERE slot_name = %s AND active
"""
_DROP_SLOT = """
SELECT pg_catalog.pg_drop_replication_slot(slot_name) FROM pg_catalog.pg_replication_slots WHERE slot_name = %s
"""
