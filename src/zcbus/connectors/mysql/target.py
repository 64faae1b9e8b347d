"""MySQL and MariaDB as a target."""

from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.mysql import ddl
from zcbus.connectors.mysql.apply import Applier, describe_or_none
from zcbus.connectors.mysql.lanes import LaneStore
from zcbus.connectors.mysql.mapping import declare
from zcbus.connectors.mysql.session import Session
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import Lane, MappedColumn, MappingNote, TargetSession, TargetTable
from zcbus.model.schema import Dialect, TableName, TableSchema
from zcbus.model.states import CleanMode

_SETTINGS = "SET SESSION foreign_key_checks=0, innodb_lock_wait_timeout=50, max_error_count=64"


class MySQLTarget:
    """See Target."""

    dialect = Dialect.MYSQL

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return [
            MappingNote(name, one.type, one.note, one.blocking, one.facts) for name, one in declare(schema, key).items()
        ]

    def default_schema(self, source: TableName, source_dialect: Dialect) -> str:
        return self._options.database

    def open(self) -> TargetSession:
        return MySQLTargetSession(self._options)


class MySQLTargetSession:
    """See TargetSession."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._session = Session(options, "target")
        self._lanes = LaneStore(self._session)
        self._applier = Applier(self._session)
        self._open = False
        self._session.execute(_SETTINGS)
        if _takes_read_committed(self._session):
            # Fewer gaps are locked, so that lanes beside each other meet less.
            self._session.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")

    def prepare_store(self) -> None:
        self._open = False
        self._lanes.prepare()

    def lanes(self, subscription: str) -> list[Lane]:
        return self._lanes.read(subscription)

    def write_lane(self, lane: Lane) -> None:
        self._begin()
        self._lanes.write(lane)

    def delete_lanes(self, subscription: str, lane: str | None = None) -> None:
        self._begin()
        self._lanes.delete(subscription, lane)
        self.commit()

    def describe(self, name: TableName) -> TableSchema | None:
        return describe_or_none(self._session, name)

    def create_table(self, table: TargetTable, clean: CleanMode) -> None:
        self._applier.forget(table.name)
        self._open = False  # DDL commits by itself
        ddl.make_ready(self._session, table, self.describe(table.name), clean)

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        self._applier.forget(table.name)
        self._open = False
        existing = self.describe(table.name)
        if existing is not None:
            ddl.add_columns(self._session, table, existing, columns)

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._begin()
        self._applier.load(table, rows)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._begin()
        self._applier.upsert(table, rows)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        self._begin()
        self._applier.update(table, keys, rows)

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        self._begin()
        return self._applier.delete(table, keys)

    def truncate(self, table: TargetTable) -> None:
        self._begin()
        self._applier.truncate(table)

    def commit(self) -> None:
        if self._open:
            self._session.execute("COMMIT")
            self._open = False

    def rollback(self) -> None:
        if self._open:
            self._open = False
            self._session.execute("ROLLBACK")

    def __enter__(self) -> "MySQLTargetSession":
        return self

    def __exit__(self, *details: object) -> None:
        self._session.close()  # the server rolls back

    def _begin(self) -> None:
        if not self._open:
            self._session.execute("START TRANSACTION")
            self._open = True


def _takes_read_committed(session: Session) -> bool:
    """A server that logs statements refuses writes at that level."""
    return session.variable("log_bin").upper() != "ON" or session.variable("binlog_format").upper() != "STATEMENT"
