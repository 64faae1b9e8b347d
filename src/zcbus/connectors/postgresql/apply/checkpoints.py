"""The checkpoint table in the target; see roles.Checkpoint."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from zcbus.connectors.errors import AccessDenied, Fenced
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import Checkpoint
from zcbus.model.schema import TableName

TABLE = "zcbus_lane"
_OWN_SCHEMA = "zcbus"
_LOCK = 0x7A636275735F6C61
"""Key of the advisory lock under which the table is created, so that two sessions don't create it at once."""


class CheckpointStore:
    """Lives in a schema `zcbus` where the user may create one, else in `public` or another it may create in."""

    def __init__(self, connection: Connection, options: ConnectionOptions) -> None:
        self._connection = connection
        self._options = options
        self._name: str | None = None
        self._schema = ""

    def prepare(self) -> None:
        """Create the table where it is missing; commits."""
        if self._find() is not None:
            return
        with self._connection.transaction():
            self._connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", [_LOCK])
            if self._find() is None:
                self._create()

    def read(self, subscription: str, *, hold: bool = False) -> list[Checkpoint]:
        """All checkpoints of a subscription, empty if the table is missing. `hold`: lock them until the open
        transaction ends."""
        name = self._find()
        if name is None:
            return []
        statement = f"SELECT subscription, lane, version, data FROM {name} WHERE subscription = %s ORDER BY lane"
        statement += " FOR UPDATE" if hold else ""
        return [Checkpoint(*row) for row in self._connection.execute(statement, [subscription])]

    def write(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Store them in the open transaction, in their order. Raises Fenced."""
        name = self._find()
        add = f"INSERT INTO {name} (data, version, subscription, lane) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
        change = (
            f"UPDATE {name} SET data = %s, version = %s, updated = pg_catalog.now() "
            "WHERE subscription = %s AND lane = %s AND version = %s"
        )
        for is_new, group in groupby(checkpoints, lambda one: one.version <= 1):
            some = list(group)
            values = [[one.data, one.version, one.subscription, one.name] for one in some]
            if not is_new:
                values = [[*row, one.version - 1] for row, one in zip(values, some, strict=True)]
            if self._write(add if is_new else change, values) != len(some):
                raise Fenced(checkpoint=f"{some[0].subscription}/{some[0].name}")

    def _write(self, statement: str, values: list[list[Any]]) -> int:
        """Returns how many rows were written."""
        if len(values) == 1:
            return self._connection.execute(statement, values[0]).rowcount
        with self._connection.cursor() as cursor:
            cursor.executemany(statement, values)
            return cursor.rowcount

    def delete(self, subscription: str, name: str | None) -> None:
        """Forget one checkpoint or all of a subscription."""
        table = self._find()
        if table is not None:
            statement = f"DELETE FROM {table} WHERE subscription = %s AND (%s::text IS NULL OR lane = %s)"
            self._connection.execute(statement, [subscription, name, name])

    def sibling_table(self, table: str) -> str:
        """The quoted name of another table of the platform, in the schema of this one.

        Raises AccessDenied if the schema does not exist and cannot be created.
        """
        self.prepare()
        return quote.table(TableName(self._schema, table))

    def _find(self) -> str | None:
        if self._name is None:
            row = self._connection.execute(_FIND, [TABLE, _OWN_SCHEMA]).fetchone()
            if row is not None:
                self._schema = row[0]
                self._name = quote.table(TableName(self._schema, TABLE))
        return self._name

    def _create(self) -> None:
        row = self._connection.execute(_WHERE, [_OWN_SCHEMA]).fetchone()
        if row is None or not (row[0] or row[1]):
            detail = "no right to create a schema, nor a table in any schema"
            raise AccessDenied(
                kind="postgresql",
                address=self._options.address,
                user=self._options.user,
                detail=detail,
            )
        schema = quote.identifier(_OWN_SCHEMA if row[0] else row[1])
        if row[0]:
            self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        self._connection.execute(
            f"CREATE TABLE {schema}.{TABLE} (subscription text NOT NULL, lane text NOT NULL, version bigint NOT NULL, "
            "data text NOT NULL, updated timestamptz NOT NULL DEFAULT pg_catalog.now(), "
            "PRIMARY KEY (subscription, lane))"
        )


_FIND = """
SELECT n.nspname::text
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relname = %s AND c.relkind = 'r' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   AND pg_catalog.has_table_privilege(c.oid, 'INSERT') AND pg_catalog.has_table_privilege(c.oid, 'UPDATE')
 ORDER BY n.nspname <> %s, n.nspname LIMIT 1
"""

_WHERE = """
SELECT CASE WHEN pg_catalog.to_regnamespace(wanted.name) IS NULL
            THEN pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
            ELSE pg_catalog.has_schema_privilege(wanted.name, 'CREATE') END,
       (SELECT n.nspname::text FROM pg_catalog.pg_namespace n
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
           AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')
         ORDER BY n.nspname <> 'public', n.nspname LIMIT 1)
  FROM (SELECT %s::text AS name) wanted
"""
