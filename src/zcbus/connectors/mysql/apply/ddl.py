"""Statements that prepare a target table for a full load. Each may be repeated after a crash."""

import re
from collections.abc import Sequence
from dataclasses import replace

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mysql.apply.exact_keys import CHARACTER_BYTES, exact_collation, is_exact
from zcbus.connectors.mysql.apply.mapping import Declaration, declare, is_text
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import ServerVersion, Session
from zcbus.connectors.mysql.origin import comment
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.model.defaults import default_elsewhere
from zcbus.model.schema import Column, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

_PLAIN_DEFAULT = re.compile(
    r"^(-?\d+(\.\d+)?|'(?:[^'\\]|''|\\.)*'|b'[01]+'|current_timestamp(\(\d?\))?)$", re.IGNORECASE
)
_WITHOUT_DEFAULT = ("text", "blob", "json", "geometry")
_ONLY_ON_MARIADB = {"uuid": "char(36)", "inet4": "varchar(15)", "inet6": "varchar(39)"}


def make_ready(session: Session, table: TargetTable, existing: TableSchema | None, clean: CleanMode) -> None:
    """See TargetSession.create_table."""
    name = quote.table(table.name)
    session.execute(f"CREATE DATABASE IF NOT EXISTS {quote.identifier(table.name.schema)} CHARACTER SET utf8mb4")
    if existing is None or clean is CleanMode.DROP:
        session.execute(f"DROP TABLE IF EXISTS {name}")
        session.execute(create_statement(session, table), table=str(table.name))
        return
    if clean in (CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE):
        session.execute(f"TRUNCATE TABLE {name}{comment(table)}", table=str(table.name))
    if clean is CleanMode.TRUNCATE and table.key and existing.primary_key != table.key:
        drop = "DROP PRIMARY KEY, " if existing.primary_key else ""
        key = quote.identifiers(table.key)
        session.execute(f"ALTER TABLE {name} {drop}ADD PRIMARY KEY ({key})", table=str(table.name))


def create_statement(session: Session, table: TargetTable) -> str:
    """CREATE TABLE for the mapped columns, with the key as primary key."""
    declared = declarations(table)
    lines = [column_clause(session, table, column, declared[column.source]) for column in table.columns]
    if table.key:
        lines.append(f"PRIMARY KEY ({quote.identifiers(table.key)})")
    lines += _unique_keys(table)
    collation = exact_collation(session.version)
    comment = f" COMMENT={quote.text(table.source_schema.comment[:2048])}" if table.source_schema.comment else ""
    return (
        f"CREATE TABLE {quote.table(table.name)} (\n  "
        + ",\n  ".join(lines)
        + f"\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE={collation}{comment}"
    )


def declarations(table: TargetTable) -> dict[str, Declaration]:
    """Declared types by source column. Raises TableRefused for types without an equivalent."""
    sources = {column.target: column.source for column in table.columns}
    mapped_names = set(sources.values())
    schema = table.source_schema
    mapped = TableSchema(schema.name, schema.dialect, tuple(c for c in schema.columns if c.name in mapped_names))
    declared = declare(mapped, tuple(sources[name] for name in table.key))
    for name, one in declared.items():
        if one.blocking:
            raise TableRefused(table=str(table.name), column=name, reason=one.note)
    return declared


def column_clause(
    session: Session, table: TargetTable, column: MappedColumn, declared: Declaration, default: str | None = None
) -> str:
    """One column of CREATE TABLE or ADD COLUMN. `default`: unless the source's own."""
    source = table.source_schema.column(column.source)
    parts = [quote.identifier(column.target), *_type(session, table, column, declared)]
    nullable = column.nullable and column.target not in table.key
    parts.append("NULL" if nullable else "NOT NULL")
    if default is None:
        default = default_of(source, table.source_schema.dialect, declared.type)
    if default is None and not nullable and declared.type.lower().startswith("timestamp"):
        default = "'0000-00-00 00:00:00'"  # without one the server would set it to now at each update
    if default is not None:
        parts.append(f"DEFAULT {default}")
    if source.comment:
        parts.append(f"COMMENT {quote.text(source.comment[:1024])}")
    return " ".join(parts)


def _type(session: Session, table: TargetTable, column: MappedColumn, declared: Declaration) -> list[str]:
    """The column's type, with a collation if the type has one.

    Keys of other databases are bytes if no collation of the server distinguishes them.
    """
    known = known_type(session.version, declared.type)
    if not is_text(column.type) or not _has_collation(declared.type):
        return [known]
    own, exact = _own_collation(session, table, column), exact_collation(session.version)
    name, _, length = known.lower().rstrip(")").partition("(")
    in_key = column.target in table.key and column.type.kind is not Kind.UUID
    if in_key and table.source_schema.dialect != "mysql" and not is_exact(exact) and name in ("char", "varchar"):
        return [f"varbinary({int(length or 1) * CHARACTER_BYTES})"]
    return [known, f"COLLATE {own or exact}"]


def add_columns(session: Session, table: TargetTable, existing: TableSchema, columns: Sequence[MappedColumn]) -> None:
    """ALTER TABLE for the columns that are missing."""
    declared = declarations(table)
    # Existing rows have no value for them yet.
    missing = [replace(column, nullable=True) for column in columns if column.target not in existing.names]
    if missing:
        clauses = ", ".join(
            f"ADD COLUMN {column_clause(session, table, column, declared[column.source])}" for column in missing
        )
        session.execute(f"ALTER TABLE {quote.table(table.name)} {clauses}", table=str(table.name))


def _own_collation(session: Session, table: TargetTable, column: MappedColumn) -> str | None:
    """The source's own collation; None: use another one.

    It applies if the source has this dialect, the server knows the collation, and it cannot make different rows of the
    source equal.
    """
    schema, source = table.source_schema, table.source_schema.column(column.source)
    sources = {one.target: one.source for one in table.columns}
    apart = column.target not in table.key or schema.has_key(tuple(sources[name] for name in table.key))
    if schema.dialect == "mysql" and source.collation and apart:
        known = session.rows("SHOW COLLATION WHERE `Collation` = %s", [source.collation])
        if known:
            return source.collation
    return None


def _has_collation(declared: str) -> bool:
    return declared.lower().split("(")[0] in (
        "char",
        "varchar",
        "tinytext",
        "text",
        "mediumtext",
        "longtext",
        "enum",
        "set",
    )


def known_type(version: ServerVersion, declared: str) -> str:
    """What this server has for a declared type."""
    return declared if version.mariadb else _ONLY_ON_MARIADB.get(declared, declared)


def default_of(source: Column, dialect: str, declared: str) -> str | None:
    """The column's default in this server's notation, if it has the same meaning; None: none. TEXT, BLOB and JSON have
    none on many servers."""
    if source.default is None or source.generated or not accepts_default(declared):
        return None
    if dialect == "mysql":
        return source.default if _PLAIN_DEFAULT.match(source.default) else None
    value = default_elsewhere(source)
    return None if value is None else literal(source.type, value)


def accepts_default(declared: str) -> bool:
    """Whether a column that is declared so may have a default on every server."""
    return not declared.lower().split("(")[0].strip().endswith(_WITHOUT_DEFAULT)


def literal(data: DataType, value: str) -> str:
    """A value in its canonical form as DDL has it."""
    if data.kind is Kind.BOOLEAN:
        return "1" if value in ("t", "true") else "0"
    return quote.text(value)


def _unique_keys(table: TargetTable) -> list[str]:
    """The source's other unique keys, where this server compares as the source did."""
    schema = table.source_schema
    if schema.dialect != "mysql":
        return []
    targets = {column.source: column.target for column in table.columns}
    lines = []
    for names in schema.unique_keys:
        sized = all(not _is_large(schema.column(name)) for name in names)
        if sized and all(name in targets for name in names):
            mapped = tuple(targets[name] for name in names)
            if mapped != table.key:
                lines.append(f"UNIQUE KEY ({quote.identifiers(mapped)})")
    return lines


def _is_large(column: Column) -> bool:
    return column.type.kind in (Kind.TEXT, Kind.BINARY) and column.type.length is None
