"""The table in the target that keeps each lane's data, in the transaction of the rows it speaks of."""

import pymysql

from zcbus.connectors.errors import Fenced
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import Lane

LANE_TABLE = "zcbus_lane"
_DUPLICATE = 1062


class LaneStore:
    """Lanes in the connection's database. Commits only where it says so."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._table = f"{quote.identifier(session.options.database)}.{quote.identifier(LANE_TABLE)}"

    def prepare(self) -> None:
        """Create the table where it is missing. Commits."""
        self._session.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table} (subscription varchar(100) NOT NULL, "
            "lane varchar(200) NOT NULL, version bigint NOT NULL, data longtext NOT NULL, "
            "PRIMARY KEY (subscription, lane)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"
        )

    def read(self, subscription: str, *, hold: bool = False) -> list[Lane]:
        """All lanes of a subscription. `hold`: nobody else writes them until the open transaction ends."""
        rows = self._session.rows(
            f"SELECT lane, version, data FROM {self._table} WHERE subscription = %s ORDER BY lane"
            + (" FOR UPDATE" if hold else ""),
            [subscription],
        )
        return [Lane(subscription, str(lane), int(version), str(data)) for lane, version, data in rows]

    def write(self, lane: Lane) -> None:
        """Within the open transaction. Raises Fenced."""
        if lane.version == 1:
            self._insert(lane)
            return
        changed = self._session.execute(
            f"UPDATE {self._table} SET version = %s, data = %s WHERE subscription = %s AND lane = %s AND version = %s",
            [lane.version, lane.data, lane.subscription, lane.lane, lane.version - 1],
        )
        if changed != 1:
            raise Fenced(lane=lane.lane)

    def delete(self, subscription: str, lane: str | None) -> None:
        """One lane, or all of a subscription."""
        sql, params = f"DELETE FROM {self._table} WHERE subscription = %s", [subscription]
        if lane is not None:
            sql, params = sql + " AND lane = %s", [*params, lane]
        self._session.execute(sql, params)

    def _insert(self, lane: Lane) -> None:
        sql = f"INSERT INTO {self._table} (subscription, lane, version, data) VALUES (%s, %s, %s, %s)"
        values = (lane.subscription, lane.lane, lane.version, lane.data)
        options = self._session.options
        with translated(options, self._session.side), self._session.driver.cursor() as cursor:
            try:
                cursor.execute(sql, values)
            except pymysql.err.IntegrityError as error:
                if error.args[0] == _DUPLICATE:
                    raise Fenced(lane=lane.lane) from error
                raise
