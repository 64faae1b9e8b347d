"""Collations that distinguish the keys which the source distinguishes. Other collations merge rows."""

from zcbus.connectors.mysql.apply.mapping import is_text
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.roles import InexactKey, TargetTable
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

CHARACTER_BYTES = 4
_UNICODE = ("utf8mb4_", "utf8mb3_", "utf8_")


def exact_collation(version: ServerVersion) -> str:
    """The collation that distinguishes all different texts, trailing blanks included.

    Before MySQL 8.0.17 no collation does, and this one ignores the blanks: keys are bytes there.
    """
    if version.mariadb:
        return "utf8mb4_nopad_bin"
    return "utf8mb4_0900_bin" if version.number >= (8, 0, 17) else "utf8mb4_bin"


def is_exact(collation: str) -> bool:
    """Whether all texts that differ at all differ by this collation."""
    return collation.endswith("_bin") and ("_nopad_" in collation or "_0900_" in collation)


def inexact_keys(table: TargetTable, existing: TableSchema, version: ServerVersion) -> list[InexactKey]:
    """See TargetSession."""
    sources = {column.target: table.source_schema.column(column.source) for column in table.columns}
    unique = table.source_schema.has_key(tuple(sources[name].name for name in table.key))
    key = [(sources[name], existing.column(name)) for name in table.key if name in existing.names]
    texts = [pair for pair in key if is_text(pair[0].type) and pair[0].type.kind is not Kind.UUID]
    return [
        InexactKey(column.name, _words(column), _remedy(table, column, version))
        for source, column in texts
        if not _distinguishes(table, source, column, unique)
    ]


def _distinguishes(table: TargetTable, source: Column, column: Column, unique: bool) -> bool:
    if column.collation is None:
        return not column.type.fixed  # BINARY(n) fills values up
    if column.type.kind is Kind.TEXT and column.type.fixed and not source.type.fixed:
        return False  # CHAR(n) drops blanks at the end
    same_server_kind = table.source_schema.dialect == "mysql"
    if same_server_kind and unique and source.collation and _rules(source.collation) == _rules(column.collation):
        return True
    return is_exact(column.collation)


def _rules(collation: str) -> str:
    """The same rules have the same name under each of the names of Unicode's character sets."""
    return next((collation.removeprefix(name) for name in _UNICODE if collation.startswith(name)), f"={collation}")


def _words(column: Column) -> str:
    return f"{column.type.native}, {column.collation}" if column.type.fixed else str(column.collation)


def _remedy(table: TargetTable, column: Column, version: ServerVersion) -> str:
    exact, length = exact_collation(version), column.type.length or 255
    if is_exact(exact):
        native = f"varchar({length})" if column.type.fixed else column.type.native
        declared = f"{native} CHARACTER SET utf8mb4 COLLATE {exact}"
    else:
        declared = f"varbinary({length * CHARACTER_BYTES})"
    return f"ALTER TABLE {quote.table(table.name)} MODIFY {quote.identifier(column.name)} {declared} NOT NULL;"
