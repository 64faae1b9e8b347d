"""A consistent image of a database at one position of its log; see roles.SnapshotReader."""

import secrets

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture import standby
from zcbus.connectors.postgresql.capture.slots import create_slot, slot_refused
from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError
from zcbus.connectors.postgresql.snapshot.rows import PostgreSQLTableReader
from zcbus.model.position import Position


class PostgreSQLSnapshotReader(PostgreSQLTableReader):
    """Reads in one transaction whose snapshot was made together with a temporary logical slot: the slot's consistent
    point is the snapshot's position. Creating it waits for the transactions that are open at that moment."""

    def __init__(self, options: ConnectionOptions) -> None:
        super().__init__(options, "source", image=True)
        try:
            self._position = self._begin()
        except BaseException:
            self._wire.close()
            raise

    @property
    def position(self) -> Position:
        return self._position

    def __enter__(self) -> "PostgreSQLSnapshotReader":
        return self

    def _begin(self) -> Position:
        slot = f"zcbus_snapshot_{secrets.token_hex(8)}"
        try:
            with standby.hurried(self._wire, self._options):
                self._wire.query("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ")
                position = create_slot(self._wire, self._options, slot, "USE_SNAPSHOT", lasting=False)
            # The transaction keeps the snapshot; the slot would keep the log from here on for as long as we read.
            self._wire.query(f'DROP_REPLICATION_SLOT "{slot}"')
            # An index gives the rows in key order at once; a sort would first read and keep the whole table.
            self._wire.query("SET enable_sort = off")
        except (ServerError, ConnectionLost) as error:
            raise slot_refused(error, self._options) from error
        return position
