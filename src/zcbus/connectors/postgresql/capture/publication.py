"""Publications, and which tables can be in one without harm to their owner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture.publication_state import read_publication
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import CapturedTable
from zcbus.model.schema import TableName


class _Unique(NamedTuple):
    """A unique index without a predicate."""

    columns: frozenset[str]
    immediate: bool
    """False: by a deferrable constraint, so that rows may share values within a transaction."""
    name: str
    primary: bool


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that decide whether a table can be published, also one for each partition of a partitioned table: rows
    are logged by the partitions."""

    oid: int
    root: TableName
    kind: str
    """relkind: r ordinary, p partitioned, f foreign."""
    persistence: str
    readable: bool
    publishable: bool
    """Ours to publish, or in the publication already."""
    identity: str
    """relreplident: d default, f full, i index, n nothing."""
    identity_columns: tuple[str, ...]
    nullable: tuple[str, ...]
    columns: tuple[str, ...]
    is_root: bool
    unique: tuple[_Unique, ...]


def check_tables(
    connection: Connection, options: ConnectionOptions, publication: str, tables: Sequence[CapturedTable]
) -> dict[int, CapturedTable]:
    """The tables by oid. Raises TableMissing or TableRefused for the first that can't be captured; facts of
    TableRefused have the SQL that mends it as `remedy`."""
    by_root = _read_facts(connection, publication, tables)
    for table in tables:
        _check(options, table, by_root[table.name], connection.info.server_version)
    return {facts.oid: table for table in tables for facts in by_root[table.name] if facts.is_root}


def refusals(
    connection: Connection, options: ConnectionOptions, publication: str, tables: Sequence[CapturedTable]
) -> list[TableMissing | TableRefused]:
    """The error that `check_tables` would raise for each table that cannot be captured."""
    by_root = _read_facts(connection, publication, tables)
    found: list[TableMissing | TableRefused] = []
    for table in tables:
        try:
            _check(options, table, by_root[table.name], connection.info.server_version)
        except (TableMissing, TableRefused) as error:
            found.append(error)
    return found


def _read_facts(
    connection: Connection, publication: str, tables: Sequence[CapturedTable]
) -> dict[TableName, list[_Facts]]:
    names = [table.name for table in tables]
    values = [[name.schema for name in names], [name.table for name in names], publication]
    found = [_facts(*row) for row in connection.execute(_TABLES, values).fetchall()]
    by_root: dict[TableName, list[_Facts]] = {name: [] for name in names}
    for facts in found:
        by_root[facts.root].append(facts)
    return by_root


def identity_refusal(connection: Connection, publication: str, tables: Sequence[CapturedTable]) -> TableRefused | None:
    """The refusal of the first of these tables without a replica identity that has its key. Tables that do not exist
    are left out."""
    by_root = _read_facts(connection, publication, tables)
    try:
        for table in tables:
            for facts in by_root[table.name]:
                _check_logged_identity(table, facts)
    except TableRefused as error:
        return error
    return None


def set_publication(connection: Connection, name: str, tables: Sequence[TableName]) -> None:
    """Make the publication one of exactly these whole tables with all changes; nothing changes where it is already."""
    state = read_publication(connection, name)
    present = published(connection, name)
    in_part = state is not None and not all(member.whole for member in state.members.values())
    partitioned = {(schema, table) for schema, table in connection.execute(_PARTITIONED).fetchall()}
    options = "publish = 'insert, update, delete, truncate'"
    if connection.info.server_version >= 130000:
        options += ", publish_via_partition_root = true"
    roots = {table for table in tables if (table.schema, table.table) in partitioned}
    relations = ", ".join(_published(table, table in roots) for table in sorted(tables))
    if present is None:
        target = f"FOR TABLE {relations} " if tables else ""
        connection.execute(f"CREATE PUBLICATION {quote.identifier(name)} {target}WITH ({options})")
    elif present is not EVERY_TABLE:
        if tables and (in_part or present != set(tables)):
            connection.execute(f"ALTER PUBLICATION {quote.identifier(name)} SET TABLE {relations}")
        elif not tables and present:
            gone = ", ".join(quote.table(table) for table in sorted(present))
            connection.execute(f"ALTER PUBLICATION {quote.identifier(name)} DROP TABLE {gone}")
    if state is not None and not state.publishes_everything(bool(roots)):
        connection.execute(f"ALTER PUBLICATION {quote.identifier(name)} SET ({options})")


EVERY_TABLE = frozenset({TableName("", "")})
"""Definition of a publication FOR ALL TABLES."""


def published(connection: Connection, name: str) -> frozenset[TableName] | None:
    """The tables of a publication; None: the publication does not exist."""
    row = connection.execute(_PUBLICATION, [name]).fetchone()
    if row is None:
        return None
    return EVERY_TABLE if row[0] else frozenset(TableName(*pair) for pair in row[1] or ())


def _published(name: TableName, partitioned: bool) -> str:
    return quote.table(name) if partitioned else f"ONLY {quote.table(name)}"


def _check(options: ConnectionOptions, table: CapturedTable, parts: Sequence[_Facts], version: int) -> None:
    if not parts:
        raise TableMissing(table=str(table.name), side="source")
    for facts in parts:
        _check_part(options, table, facts, version)


def _check_part(options: ConnectionOptions, table: CapturedTable, facts: _Facts, version: int) -> None:
    name = quote.table(table.name)
    if facts.kind == "f":
        raise _refused(table, "foreign-partition", "")
    if facts.kind == "p" and version < 130000:
        raise _refused(table, "partitioned-table-before-13", "upgrade to PostgreSQL 13 or newer")
    if facts.persistence != "p":
        raise _refused(table, "unlogged-table", f"ALTER TABLE {name} SET LOGGED")
    for column in table.key:
        if column not in facts.columns:
            raise _refused(table, "key-column-missing", "", column)
        if column in facts.nullable:
            remedy = f"ALTER TABLE {name} ALTER COLUMN {quote.identifier(column)} SET NOT NULL"
            raise _refused(table, "key-column-nullable", remedy, column)
    if facts.is_root and not facts.readable:
        raise _refused(table, "not-readable", f"GRANT SELECT ON {name} TO {quote.identifier(options.user)}")
    if facts.is_root and not facts.publishable:
        raise _refused(table, "not-owner", f"ALTER TABLE {name} OWNER TO {quote.identifier(options.user)}")
    _check_immediate(table, facts)
    _check_logged_identity(table, facts)


def _check_immediate(table: CapturedTable, facts: _Facts) -> None:
    """Rows that share a key within a transaction would become one."""
    inside = [unique for unique in facts.unique if unique.columns <= set(table.key)]
    if not inside or any(unique.immediate for unique in inside):
        return
    found = inside[0]
    columns = sorted(found.columns, key=table.key.index)
    kind = "PRIMARY KEY" if found.primary else "UNIQUE"
    remedy = (
        f"ALTER TABLE {quote.table(table.name)} DROP CONSTRAINT {quote.identifier(found.name)}, "
        f"ADD {kind} ({quote.identifiers(columns)})"
    )
    raise _refused(table, "key-deferrable", remedy, ", ".join(columns))


def _check_logged_identity(table: CapturedTable, facts: _Facts) -> None:
    """Partitions log the rows of a partitioned table."""
    if not (facts.kind == "p" and facts.is_root):
        _check_identity(table, facts)


def _check_identity(table: CapturedTable, facts: _Facts) -> None:
    """Without replica identity the owner's own updates and deletes would fail from the moment of publication on."""
    if facts.identity == "f" or (facts.identity_columns and set(table.key) <= set(facts.identity_columns)):
        return
    name = quote.table(table.name)
    remedy = f"ALTER TABLE {name} REPLICA IDENTITY FULL"
    if facts.identity_columns:
        raise _refused(table, "key-not-in-replica-identity", remedy)
    raise _refused(table, "no-replica-identity", remedy)


def _refused(table: CapturedTable, reason: str, remedy: str, column: str = "") -> TableRefused:
    return TableRefused(table=str(table.name), column=column, reason=reason, remedy=remedy)


def _facts(
    schema: str,
    table: str,
    oid: int,
    kind: str,
    persistence: str,
    readable: bool,
    publishable: bool,
    identity: str,
    identity_columns: list[str] | None,
    nullable: list[str] | None,
    columns: list[str] | None,
    is_root: bool,
    unique: list[tuple[list[str], bool, str, bool]] | None,
) -> _Facts:
    return _Facts(
        oid=oid,
        root=TableName(schema, table),
        kind=kind,
        persistence=persistence,
        readable=readable,
        publishable=publishable,
        identity=identity,
        identity_columns=tuple(identity_columns or ()),
        nullable=tuple(nullable or ()),
        columns=tuple(columns or ()),
        is_root=is_root,
        unique=tuple(_Unique(frozenset(names), now, name, primary) for names, now, name, primary in unique or ()),
    )


# Partitions that are partitioned themselves have no rows.
_TABLES = """
WITH root AS (
    SELECT n.nspname, c.relname, c.oid, c.relkind
      FROM unnest(%s::text[], %s::text[]) AS wanted(schema, name)
      JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
      JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
     WHERE c.relkind IN ('r', 'p')
), part AS (
    SELECT root.nspname, root.relname, root.oid AS root, root.oid FROM root
  UNION ALL
    SELECT root.nspname, root.relname, root.oid, tree.relid
      FROM root CROSS JOIN LATERAL pg_catalog.pg_partition_tree(root.oid) tree
     WHERE root.relkind = 'p' AND tree.isleaf AND tree.relid <> root.oid
)
SELECT part.nspname::text, part.relname::text, c.oid::int8, c.relkind::text, c.relpersistence::text,
       pg_catalog.has_table_privilege(c.oid, 'SELECT'),
       pg_catalog.pg_has_role(c.relowner, 'USAGE') OR EXISTS (
           SELECT FROM pg_catalog.pg_publication p
            WHERE p.pubname = %s AND (p.puballtables OR EXISTS (
                  SELECT FROM pg_catalog.pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = c.oid))),
       c.relreplident::text,
       (SELECT array_agg(a.attname::text)
          FROM pg_catalog.pg_index i
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
         WHERE i.indrelid = c.oid AND i.indisvalid AND i.indimmediate
           AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END),
       (SELECT array_agg(a.attname::text) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND NOT a.attnotnull),
       (SELECT array_agg(a.attname::text) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
       c.oid = part.root,
       (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
                   ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                          WHERE a.attrelid = c.oid AND a.attnum = ANY(i.indkey)),
                   i.indimmediate, x.relname, i.indisprimary))
          FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
         WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL)
  FROM part JOIN pg_catalog.pg_class c ON c.oid = part.oid
 WHERE c.relkind IN ('r', 'p', 'f')
"""

_PUBLICATION = """
SELECT p.puballtables,
       (SELECT array_agg(ARRAY[n.nspname::text, c.relname::text])
          FROM pg_catalog.pg_publication_rel r
          JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE r.prpubid = p.oid)
  FROM pg_catalog.pg_publication p WHERE p.pubname = %s
"""

_PARTITIONED = """
SELECT n.nspname::text, c.relname::text
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'p'
"""
