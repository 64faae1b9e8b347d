"""Statements that alter an existing table after its source. Each commits by itself, and all may be run again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zcbus.connectors.mysql.apply import ddl
from zcbus.connectors.mysql.apply.added_columns import NewColumn
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.model.schema import TableSchema


def alter(session: Session, table: TargetTable, change: Alteration, present: TableSchema) -> None:
    """Run the remaining statements. The steps on columns are one statement, which succeeds or fails completely."""
    have = set(present.names)
    new = _new_columns(session, table, change, have)
    for column in new:
        column.fill_aside(have)
    clauses = list(_clauses(session, table, change, have))
    if clauses:
        session.execute(f"ALTER TABLE {quote.table(table.name)} {', '.join(clauses)}", table=str(table.name))
    for column in new:
        column.set_default()


def _clauses(session: Session, table: TargetTable, change: Alteration, have: set[str]) -> Iterator[str]:
    unique = _unique_clauses(session, table, change) if table.source_schema.dialect == "mysql" else []
    yield from (clause for clause in unique if clause.startswith("DROP"))
    yield from (f"DROP COLUMN {quote.identifier(name)}" for name in change.drop if name in have)
    yield from _column_clauses(session, table, change, have)
    yield from (column.clause() for column in _new_columns(session, table, change, have))
    yield from (clause for clause in unique if clause.startswith("ADD"))
    if change.comment is not None:
        yield f"COMMENT={quote.text(change.comment[:2048])}"


def _column_clauses(session: Session, table: TargetTable, change: Alteration, have: set[str]) -> Iterator[str]:
    for old, column in change.rename:
        if old in have and column.target not in have:
            yield f"CHANGE COLUMN {quote.identifier(old)} {_definition(session, table, column, old)}"
    renamed = {column.target for old, column in change.rename if old in have}
    for column in change.redefine:
        if column.target not in renamed:
            yield f"MODIFY COLUMN {_definition(session, table, column, column.target)}"


def _new_columns(session: Session, table: TargetTable, change: Alteration, have: set[str]) -> list[NewColumn]:
    stay = have - _leaving(change, have) - set(change.drop)
    return [NewColumn(session, table, added) for added in change.add if added.column.target not in stay]


def _leaving(change: Alteration, have: set[str]) -> set[str]:
    """Names that are free once the columns that have them now are renamed."""
    return {old for old, column in change.rename if old in have and column.target not in have}


def _unique_clauses(session: Session, table: TargetTable, change: Alteration) -> list[str]:
    found = [_unique_indexes(session, table, key) for key in change.drop_unique]
    clauses = [f"DROP INDEX {index}" for indexes in found for index in indexes]
    missing = [key for key in change.add_unique if not _unique_indexes(session, table, key)]
    return clauses + [f"ADD UNIQUE KEY ({quote.identifiers(key)})" for key in missing]


def _definition(session: Session, table: TargetTable, column: MappedColumn, present: str) -> str:
    """`present`: its name now. A source's catalog may be ahead of its log, where rows lose their last NULLs: the column
    stays without NOT NULL."""
    if not column.nullable and _has_null(session, table, present):
        column = replace(column, nullable=True)
    return ddl.column_clause(session, table, column, ddl.declarations(table)[column.source])


def _has_null(session: Session, table: TargetTable, column: str) -> bool:
    query = f"SELECT 1 FROM {quote.table(table.name)} WHERE {quote.identifier(column)} IS NULL LIMIT 1"
    return column not in table.key and bool(session.rows(query, table=str(table.name)))


def _unique_indexes(session: Session, table: TargetTable, key: Sequence[str]) -> list[str]:
    """Quoted names of unique indexes over just these columns."""
    rows = session.rows(
        "SELECT index_name, GROUP_CONCAT(column_name SEPARATOR '\n') FROM information_schema.statistics "
        "WHERE table_schema = %s AND table_name = %s AND non_unique = 0 AND index_name <> 'PRIMARY' "
        "GROUP BY index_name",
        [table.name.schema, table.name.table],
    )
    return [quote.identifier(str(index)) for index, names in rows if set(str(names).split("\n")) == set(key)]
