"""The checkpoint table in the target, written in the transaction of the rows that a checkpoint covers."""

import pymysql

from zcbus.connectors.errors import Fenced
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import Checkpoint

CHECKPOINT_TABLE = "zcbus_lane"
_DUPLICATE = 1062


class CheckpointStore:
    """Checkpoints in the connection's database. Only methods that say so commit."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._table = f"{quote.identifier(session.options.database)}.{quote.identifier(CHECKPOINT_TABLE)}"

    def prepare(self) -> None:
        """Create the table where it is missing. Commits."""
        self._session.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table} (subscription varchar(100) NOT NULL, "
            "lane varchar(200) NOT NULL, version bigint NOT NULL, data longtext NOT NULL, "
            "PRIMARY KEY (subscription, lane)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"
        )

    def read(self, subscription: str, *, hold: bool = False) -> list[Checkpoint]:
        """All checkpoints of a subscription. `hold`: lock them until the open transaction ends."""
        rows = self._session.rows(
            f"SELECT lane, version, data FROM {self._table} WHERE subscription = %s ORDER BY lane"
            + (" FOR UPDATE" if hold else ""),
            [subscription],
        )
        return [Checkpoint(subscription, str(name), int(version), str(data)) for name, version, data in rows]

    def write(self, checkpoint: Checkpoint) -> None:
        """Within the open transaction. Raises Fenced."""
        if checkpoint.version == 1:
            self._insert(checkpoint)
            return
        changed = self._session.execute(
            f"UPDATE {self._table} SET version = %s, data = %s WHERE subscription = %s AND lane = %s AND version = %s",
            [checkpoint.version, checkpoint.data, checkpoint.subscription, checkpoint.name, checkpoint.version - 1],
        )
        if changed != 1:
            raise Fenced(checkpoint=checkpoint.name)

    def delete(self, subscription: str, name: str | None) -> None:
        """One checkpoint, or all of a subscription."""
        sql, params = f"DELETE FROM {self._table} WHERE subscription = %s", [subscription]
        if name is not None:
            sql, params = sql + " AND lane = %s", [*params, name]
        self._session.execute(sql, params)

    def _insert(self, checkpoint: Checkpoint) -> None:
        sql = f"INSERT INTO {self._table} (subscription, lane, version, data) VALUES (%s, %s, %s, %s)"
        values = (checkpoint.subscription, checkpoint.name, checkpoint.version, checkpoint.data)
        options = self._session.options
        with translated(options, self._session.side), self._session.driver.cursor() as cursor:
            try:
                cursor.execute(sql, values)
            except pymysql.err.IntegrityError as error:
                if error.args[0] == _DUPLICATE:
                    raise Fenced(checkpoint=checkpoint.name) from error
                raise
