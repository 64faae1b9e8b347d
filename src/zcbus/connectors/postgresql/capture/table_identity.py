"""Tables by oid and by name: a name may have been given to another table."""

from collections.abc import Sequence

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.schema import TableName


def refusal(connection: Connection, name: TableName, today: TableName | None) -> TableRefused:
    """The refusal for a table that no longer exists under its name. `today`: its current name; None: it was dropped."""
    if today is None:
        return TableRefused(table=str(name), column="", reason="table-dropped")
    replaced = bool(by_name(connection, [name]))
    return TableRefused.renamed(name, today, replaced=replaced)


def by_name(connection: Connection, names: Sequence[TableName]) -> list[tuple[int, str, str]]:
    """Oid, schema and name of those that exist."""
    requested = [[name.schema for name in names], [name.table for name in names]]
    return [(row[0], row[1], row[2]) for row in connection.execute(_OIDS, requested).fetchall()]


def name_of(connection: Connection, oid: int) -> TableName | None:
    """The current name of a table; None: it does not exist."""
    row = connection.execute(_NAME, [oid]).fetchone()
    return TableName(row[0], row[1]) if row is not None else None


def any_partitioned(connection: Connection, oids: Sequence[int]) -> bool:
    """Whether one of them is a partitioned table, which has no rows of its own."""
    return connection.execute(_PARTITIONED, [list(oids)]).fetchone() is not None


_PARTITIONED = "SELECT c.oid FROM pg_catalog.pg_class c WHERE c.oid = ANY(%s::oid[]) AND c.relkind = 'p'"
_OIDS = """
SELECT c.oid::int8, n.nspname::text, c.relname::text
  FROM unnest(%s::text[], %s::text[]) AS wanted(schema, name)
  JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
"""
_NAME = """
SELECT n.nspname::text, c.relname::text
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = %s
"""
