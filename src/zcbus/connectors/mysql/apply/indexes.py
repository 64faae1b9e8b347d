"""Secondary indexes of a target table: created, renamed and dropped. Each statement commits by itself."""

from collections.abc import Iterable

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.mysql.apply import ddl
from zcbus.connectors.mysql.apply.mapping import MAX_KEY_BYTES, is_unlimited, key_bytes
from zcbus.connectors.mysql.catalog.discover import describe_layouts
from zcbus.connectors.mysql.catalog.layout import IndexLayout
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.kit.logging import get_logger
from zcbus.model.schema import Index, IndexPart
from zcbus.model.types import Kind

_BEGINNING = 191
"""Length of the prefix, in characters or bytes, for texts and blobs that are too long to be indexed completely."""


def carry_over(session: Session, table: TargetTable, desired: Iterable[Index]) -> None:
    """Create the indexes that are missing or differ, in one statement. Indexes that the server refuses are skipped."""
    existing = _existing(session, table)
    clauses = {index.name: clause for index in desired if (clause := _clause(table, index, existing))}
    if clauses and not _attempt(session, table, clauses, list(clauses.values())) and len(clauses) > 1:
        for name, clause in clauses.items():
            _attempt(session, table, [name], [clause])


def rename(session: Session, table: TargetTable, pairs: Iterable[tuple[str, str]]) -> None:
    """Rename those that exist."""
    existing = _existing(session, table)
    for old, new in pairs:
        if old.lower() in existing and new.lower() not in existing:
            _attempt(session, table, [new], [_renamed(session, existing[old.lower()], new)])


def drop(session: Session, table: TargetTable, names: Iterable[str]) -> None:
    """Drop those that exist."""
    existing = _existing(session, table)
    clauses = [f"DROP INDEX {quote.identifier(name)}" for name in names if name.lower() in existing]
    if clauses:
        _attempt(session, table, names, clauses)


def _renamed(session: Session, index: IndexLayout, new: str) -> str:
    name, version = quote.identifier(index.name), session.version
    if version.mariadb and version.number < (10, 5, 2):
        return f"DROP INDEX {name}, {_added(new, index.unique, index.parts)}"
    return f"RENAME INDEX {name} TO {quote.identifier(new)}"


def _existing(session: Session, table: TargetTable) -> dict[str, IndexLayout]:
    return {index.name.lower(): index for index in describe_layouts(session, [table.name])[0].indexes}


def _attempt(session: Session, table: TargetTable, names: Iterable[str], clauses: list[str]) -> bool:
    statement = f"ALTER TABLE {quote.table(table.name)} {', '.join(clauses)}"
    try:
        session.execute(statement, table=str(table.name))
    except (RowRefused, TableRefused) as error:
        detail = str(error.facts.get("detail") or error)
        get_logger("target").warning("index-refused", table=str(table.name), index=", ".join(names), detail=detail)
        return False
    return True


def _clause(table: TargetTable, index: Index, existing: dict[str, IndexLayout]) -> str:
    """The clause that creates the index; empty: it exists, or its columns cannot be ordered."""
    parts = _parts(table, index)
    # Texts that differ in another dialect may be equal here.
    unique = index.unique and table.source_schema.dialect == "mysql"
    known = existing.get(index.name.lower())
    if not parts or (known is not None and (known.parts, known.unique) == (parts, unique)):
        return ""
    dropped = f"DROP INDEX {quote.identifier(index.name)}, " if known is not None else ""
    return dropped + _added(index.name, unique, parts)


def _added(name: str, unique: bool, parts: Iterable[IndexPart]) -> str:
    spelt = ", ".join(
        quote.identifier(part.column)
        + (f"({part.length})" if part.length else "")
        + (" DESC" if part.descending else "")
        for part in parts
    )
    return f"ADD {'UNIQUE ' if unique else ''}KEY {quote.identifier(name)} ({spelt})"


def _parts(table: TargetTable, index: Index) -> tuple[IndexPart, ...]:
    """The index parts, with prefixes for columns that are too long."""
    if table.source_schema.dialect == "mysql":
        return index.parts
    columns, declared = {column.target: column for column in table.columns}, ddl.declarations(table)
    covered = [(part, columns[part.column], declared[columns[part.column].source].type) for part in index.parts]
    if any(column.type.kind in (Kind.JSON, Kind.ARRAY) for _, column, _ in covered):
        return ()
    total = sum(key_bytes(column.type, native) for _, column, native in covered)
    return tuple(
        IndexPart(part.column, _BEGINNING if _too_long(column, native, total) else None, part.descending)
        for part, column, native in covered
    )


def _too_long(column: MappedColumn, native: str, total: int) -> bool:
    if is_unlimited(native):
        return True
    return total > MAX_KEY_BYTES and key_bytes(column.type, native) > _BEGINNING * 4
