"""Statements that alter an existing table after its source. Each commits by itself and may be repeated."""

from collections.abc import Iterator, Sequence

from zcbus.connectors.mysql.apply import ddl
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.model.schema import TableSchema


def alter(session: Session, table: TargetTable, change: Alteration, present: TableSchema) -> None:
    """Run the remaining statements. The steps on columns are one statement, which succeeds or fails completely."""
    name, label = quote.table(table.name), str(table.name)
    have = set(present.names)
    clauses = list(_clauses(session, table, change, have))
    if clauses:
        session.execute(f"ALTER TABLE {name} {', '.join(clauses)}", table=label)
    for added in change.add:
        if added.column.target not in have - _leaving(change, have) - set(change.drop):
            _fill(session, table, added)


def _clauses(session: Session, table: TargetTable, change: Alteration, have: set[str]) -> Iterator[str]:
    unique = _unique_clauses(session, table, change) if table.source_schema.dialect == "mysql" else []
    yield from (clause for clause in unique if clause.startswith("DROP"))
    yield from (f"DROP COLUMN {quote.identifier(name)}" for name in change.drop if name in have)
    yield from _column_clauses(session, table, change, have)
    yield from (clause for clause in unique if clause.startswith("ADD"))
    if change.comment is not None:
        yield f"COMMENT={quote.text(change.comment[:2048])}"


def _column_clauses(session: Session, table: TargetTable, change: Alteration, have: set[str]) -> Iterator[str]:
    for old, column in change.rename:
        if old in have and column.target not in have:
            yield f"CHANGE COLUMN {quote.identifier(old)} {_definition(session, table, column)}"
    renamed = {column.target for old, column in change.rename if old in have}
    for column in change.redefine:
        if column.target not in renamed:
            yield f"MODIFY COLUMN {_definition(session, table, column)}"
    for added in change.add:
        if added.column.target not in have - _leaving(change, have) - set(change.drop):
            yield f"ADD COLUMN {_added(session, table, added)}"


def _leaving(change: Alteration, have: set[str]) -> set[str]:
    """Names that are free once the columns that have them now are renamed."""
    return {old for old, column in change.rename if old in have and column.target not in have}


def _unique_clauses(session: Session, table: TargetTable, change: Alteration) -> list[str]:
    found = [_unique_indexes(session, table, key) for key in change.drop_unique]
    clauses = [f"DROP INDEX {index}" for indexes in found for index in indexes]
    missing = [key for key in change.add_unique if not _unique_indexes(session, table, key)]
    return clauses + [f"ADD UNIQUE KEY ({quote.identifiers(key)})" for key in missing]


def _definition(session: Session, table: TargetTable, column: MappedColumn) -> str:
    return ddl.column_clause(session, table, column, ddl.declarations(table)[column.source])


def _added(session: Session, table: TargetTable, added: AddedColumn) -> str:
    definition = _definition(session, table, added.column)
    if added.value is None or _default(table, added) is not None or not ddl.accepts_default(_declared(table, added)):
        return definition
    return f"{definition} DEFAULT {ddl.literal(added.column.type, added.value)}"


def _fill(session: Session, table: TargetTable, added: AddedColumn) -> None:
    """Set the source's value in existing rows; drop a default that the column must not have."""
    name, column = quote.table(table.name), quote.identifier(added.column.target)
    value = ddl.literal(added.column.type, added.value) if added.value is not None else "NULL"
    if not ddl.accepts_default(_declared(table, added)):
        differs = added.value is not None
    elif (default := _default(table, added)) is None:
        differs = False
        if added.value is not None:
            session.execute(f"ALTER TABLE {name} ALTER COLUMN {column} DROP DEFAULT", table=str(table.name))
    else:
        # Where the source proves the value, its default of today may be another one.
        differs = bool(table.source_schema.column(added.column.source).initial_known) and value != default
    if differs:
        session.execute(f"UPDATE {name} SET {column} = {value}", table=str(table.name))


def _default(table: TargetTable, added: AddedColumn) -> str | None:
    schema = table.source_schema
    return ddl.default_of(schema.column(added.column.source), schema.dialect, _declared(table, added))


def _declared(table: TargetTable, added: AddedColumn) -> str:
    return ddl.declarations(table)[added.column.source].type


def _unique_indexes(session: Session, table: TargetTable, key: Sequence[str]) -> list[str]:
    """Quoted names of unique indexes over just these columns."""
    rows = session.rows(
        "SELECT index_name, GROUP_CONCAT(column_name SEPARATOR '\n') FROM information_schema.statistics "
        "WHERE table_schema = %s AND table_name = %s AND non_unique = 0 AND index_name <> 'PRIMARY' "
        "GROUP BY index_name",
        [table.name.schema, table.name.table],
    )
    return [quote.identifier(str(index)) for index, names in rows if set(str(names).split("\n")) == set(key)]
