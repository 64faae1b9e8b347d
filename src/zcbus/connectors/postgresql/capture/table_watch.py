"""Detection of changes that the log does not record: dropped, renamed and rewritten tables, partitions, types, what is
published."""

import time
from collections.abc import Sequence

from zcbus.connectors.errors import LogPositionLost, TableRefused
from zcbus.connectors.postgresql.capture.backlog import log_end
from zcbus.connectors.postgresql.capture.composites import CompositeWatch
from zcbus.connectors.postgresql.capture.identity_watch import IdentityWatch
from zcbus.connectors.postgresql.capture.labels import LabelWatch
from zcbus.connectors.postgresql.capture.partitions import PartitionScan, PartitionWatch
from zcbus.connectors.postgresql.capture.publication_watch import PublicationWatch
from zcbus.connectors.postgresql.capture.schema_tracker import SchemaTracker
from zcbus.connectors.postgresql.capture.table_identity import refusal
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.schema import TableName

_CHECK_SECONDS = 5.0


class TableWatch:
    """Checks the catalog periodically.

    A difference is raised when the log has been read as far as it went at the time of the check, so that no earlier
    change is lost.
    """

    def __init__(
        self,
        schemas: SchemaTracker,
        partitions: PartitionWatch,
        others: Sequence[LabelWatch | CompositeWatch | PublicationWatch | IdentityWatch],
    ) -> None:
        """`others`: asked in this order."""
        self._schemas, self._partitions, self._others = schemas, partitions, others
        self._scan: tuple[PartitionScan, int] | None = None
        self._last_check = float("-inf")
        self._refusal: tuple[TableRefused | LogPositionLost, int] | None = None

    @property
    def is_due(self) -> bool:
        """Whether the next check is due."""
        return self._refusal is None and self._scan is None and time.monotonic() - self._last_check >= _CHECK_SECONDS

    def scan(self, connection: Connection) -> None:
        """Check whether every table exists with its partitions, and whether its values read as before."""
        self._last_check = time.monotonic()
        scan = self._partitions.scan(connection)
        self._scan = (scan, log_end(connection)) if scan is not None else None
        rows = connection.execute(_BY_OID, [list(self._schemas.oids)]).fetchall()
        today = {oid: TableName(schema, table) for oid, schema, table, _ in rows}
        for oid, name in self._schemas.oids.items():
            if today.get(oid) != name:
                self._refusal = refusal(connection, name, today.get(oid)), log_end(connection)
                return
        for watch in self._others:
            if (found := watch.scan(connection)) is not None:
                self._refusal = found, log_end(connection)
                break
        self._schemas.scan({oid: files for oid, *_, files in rows})

    def check(self, reached: int) -> None:
        """Raise a found difference if the log has been read as far as it went then. Raises TableRefused,
        LogPositionLost."""
        if self._scan is not None and reached >= self._scan[1]:
            scan, self._scan = self._scan[0], None
            self._partitions.check(scan)
        self._schemas.check(reached)
        if self._refusal is not None and reached >= self._refusal[1]:
            raise self._refusal[0]


_BY_OID = """
SELECT c.oid::int8, n.nspname::text, c.relname::text,
       CASE WHEN c.relkind = 'p' THEN '' ELSE c.relfilenode::text END
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE c.oid = ANY (%s::pg_catalog.oid[])
"""
