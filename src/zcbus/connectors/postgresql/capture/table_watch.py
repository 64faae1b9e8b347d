"""Detection of changes that the log does not record: dropped and renamed tables, partitions, enum labels."""

import time
from collections.abc import Mapping

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.capture.backlog import log_end
from zcbus.connectors.postgresql.capture.labels import LabelWatch
from zcbus.connectors.postgresql.capture.partitions import PartitionScan, PartitionWatch
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.schema import TableName

_CHECK_SECONDS = 5.0


class TableWatch:
    """Checks the catalog periodically.

    A difference is raised when the log has been read as far as it went at the time of the check, so that no earlier
    change is lost.
    """

    def __init__(self, tables: Mapping[int, TableName], partitions: PartitionWatch, labels: LabelWatch) -> None:
        """`tables`: by oid."""
        self._oids, self._partitions, self._labels = dict(tables), partitions, labels
        self._scan: tuple[PartitionScan, int] | None = None
        self._last_check = float("-inf")
        self._refusal: tuple[TableRefused, int] | None = None

    @property
    def is_due(self) -> bool:
        """Whether the next check is due."""
        return self._refusal is None and self._scan is None and time.monotonic() - self._last_check >= _CHECK_SECONDS

    def scan(self, connection: Connection) -> None:
        """Check whether every table exists with its partitions, and whether its values read as before."""
        self._last_check = time.monotonic()
        scan = self._partitions.scan(connection)
        self._scan = (scan, log_end(connection)) if scan is not None else None
        rows = connection.execute(_BY_OID, [list(self._oids)]).fetchall()
        today = {oid: TableName(schema, table) for oid, schema, table in rows}
        for oid, name in self._oids.items():
            if today.get(oid) != name:
                self._refusal = refusal(connection, name, today.get(oid)), log_end(connection)
                return
        if (renamed := self._labels.scan(connection)) is not None:
            self._refusal = renamed, log_end(connection)

    def check(self, reached: int) -> None:
        """Raise a found difference if the log has been read as far as it went then. Raises TableRefused."""
        if self._scan is not None and reached >= self._scan[1]:
            scan, self._scan = self._scan[0], None
            self._partitions.check(scan)
        if self._refusal is not None and reached >= self._refusal[1]:
            raise self._refusal[0]


def refusal(connection: Connection, name: TableName, today: TableName | None) -> TableRefused:
    """The refusal for a table that no longer exists under its name. `today`: its current name; None: it was dropped."""
    if today is None:
        return TableRefused(table=str(name), column="", reason="table-dropped")
    replaced = bool(connection.execute(_BY_NAME, [[name.schema], [name.table]]).fetchall())
    return TableRefused.renamed(name, today, replaced=replaced)


_BY_NAME = """
SELECT c.oid::int8, n.nspname::text, c.relname::text
  FROM unnest(%s::text[], %s::text[]) AS wanted(schema, name)
  JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
"""
_BY_OID = """
SELECT c.oid::int8, n.nspname::text, c.relname::text
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE c.oid = ANY (%s::pg_catalog.oid[])
"""
