"""The encrypted texts of the store, wherever they are (`store.sealed`): the keys they need, and sealing them again."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, select, update

from zcbus.control.platform.secrets import SecretBox, SecretUnreadableError, key_of
from zcbus.control.platform.services import Services
from zcbus.control.store.columns import metadata
from zcbus.control.store.sealed import Reseal, key_column, replaced, sealed_columns, sealed_tables, texts
from zcbus.control.store.tables.recycle_bin import recycled_object

AT_ONCE = 100
"""Rows of a transaction: others write between two."""

Census = Counter[tuple[str, str]]
"""Number of texts by table and key id."""


def census(connection: Connection) -> Census:
    """Count the encrypted texts."""
    found: Census = Counter()
    for table in _tables():
        for rows in _portions(connection, table):
            found.update((table.name, key_of(text)) for row in rows for text, _ in _texts(table, row))
    return found


def reseal(services: Services, progress: Callable[[int], None] = lambda done: None) -> int:
    """Seal again what another key than the present one sealed, in transactions of 100 rows. What no held key opens
    stays as it is. Returns the number of changed rows."""
    done = 0
    for table in _tables():
        after = ""
        while True:
            with services.database.write() as connection:
                rows = connection.execute(_portion(table, after).with_for_update()).all()
                done += sum(_reseal_row(connection, services.secrets, table, row) for row in rows)
            if not rows:
                break
            after = rows[-1]._mapping[key_column(table)]
            progress(done)
    return done


def _tables() -> Iterator[Table]:
    yield from sealed_tables()
    yield recycled_object


def _portions(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    after = ""
    while rows := connection.execute(_portion(table, after)).all():
        yield rows
        after = rows[-1]._mapping[key_column(table)]


def _portion(table: Table, after: str) -> Any:
    key = key_column(table)
    return select(key, *_columns(table)).where(key > after).order_by(key).limit(AT_ONCE)


def _columns(table: Table) -> tuple[Column[Any], ...]:
    return (recycled_object.c.content,) if table is recycled_object else sealed_columns(table)


def _texts(table: Table, row: Row[Any]) -> Iterator[tuple[str, str]]:
    key = row._mapping[key_column(table)]
    for column in _columns(table):
        value = row._mapping[column]
        if table is recycled_object:
            yield from (pair for one, own, kept in _cells(value) for pair in texts(one, own, kept[one.name]))
        else:
            yield from texts(column, key, value)


def _cells(content: Mapping[str, Any]) -> Iterator[tuple[Column[Any], str, dict[str, Any]]]:
    """The encrypted cells of deleted rows: column, the row's primary key, the row."""
    for name, rows in content.items():
        table = metadata.tables.get(name)
        for column in sealed_columns(table) if table is not None else ():
            yield from ((column, row[key_column(column.table).name], row) for row in rows if column.name in row)


def _reseal_row(connection: Connection, box: SecretBox, table: Table, row: Row[Any]) -> bool:
    key = row._mapping[key_column(table)]
    old = {column.name: row._mapping[column] for column in _columns(table)}
    new = {column.name: _new_value(box, column, key, old[column.name]) for column in _columns(table)}
    changed = {name: value for name, value in new.items() if value != old[name]}
    if changed:
        connection.execute(update(table).where(key_column(table) == key).values(**changed))
    return bool(changed)


def _new_value(box: SecretBox, column: Column[Any], key: str, value: Any) -> Any:
    anew = _anew(box)
    if column.table is not recycled_object:
        return replaced(column, key, value, anew)
    content = {name: [dict(row) for row in rows] for name, rows in value.items()}
    for one, own, kept in _cells(content):
        kept[one.name] = replaced(one, own, kept[one.name], anew)
    return content


def _anew(box: SecretBox) -> Reseal:
    def anew(text: str, place: str) -> str:
        if not box.needs_resealing(text):
            return text
        try:
            return box.seal(box.open(text, place), place)
        except SecretUnreadableError:
            return text

    return anew
