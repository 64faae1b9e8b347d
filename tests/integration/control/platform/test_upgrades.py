"""A store of any earlier version, with rows in every table, is upgraded and keeps them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from zcbus.control.store.engine import open_engine
from zcbus.control.store.migrate import known_versions, needed_version, upgrade
from zcbus.control.store.tables import identity, metadata

pytestmark = pytest.mark.every_store
ROWS = 3
EARLIER = sorted(known_versions())[:-1]

Rows = list[dict[str, Any]]


@pytest.mark.wide
@pytest.mark.soak(but=["sqlite"])
def test_each_version_is_upgraded_with_its_rows(store_url: str) -> None:
    """Each migration meets filled tables: those of the first version, and those that later ones have added."""
    engine = open_engine(store_url)
    filled = _fill_at_each_version(engine)
    with engine.begin() as connection:
        before = {table.name: _rows(connection, table) for table in _reflected(connection).tables.values()}
        upgrade(connection, needed_version())
    with engine.begin() as connection:
        tables = _reflected(connection).tables
        for name in filled & tables.keys():
            assert _of(before[name], _rows(connection, tables[name])) == before[name], name
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()
    assert len(filled) > len(EARLIER)


@pytest.mark.wide
def test_api_tokens_become_service_accounts_without_an_end(store_url: str) -> None:
    engine = open_engine(store_url)
    with engine.begin() as connection:
        upgrade(connection, "0013")
        tables = _reflected(connection).tables
        for name in ("tenant", "user_account"):
            connection.execute(tables[name].insert(), _row(tables[name], 1))
        token = {**_row(tables["user_session"], 1), "name": "pipeline", "expires_at": None, "revoked_at": None}
        rows = [{**token, "id": kind, "token_hash": kind, "kind": kind} for kind in ("api", "session")]
        connection.execute(tables["user_session"].insert(), rows)
        upgrade(connection, needed_version())
    with engine.begin() as connection:
        accounts = connection.execute(identity.service_account.select()).all()
        tokens = connection.execute(identity.session.select().order_by(identity.session.c.id)).all()
    engine.dispose()
    assert [(one.id, one.name, one.scope, one.spans_tenants) for one in accounts] == [("api", "pipeline", None, True)]
    assert [(one.service_account_id, one.expires_at) for one in tokens] == [("api", None), (None, None)]


def _fill_at_each_version(engine: sa.Engine) -> set[str]:
    """Returns the names of the tables with rows. Without the product's own transactions, which would reduce states."""
    filled: set[str] = set()
    for version in EARLIER:
        with engine.begin() as connection:
            upgrade(connection, version)
            tables = _reflected(connection).tables
            filled = {name for name, table in tables.items() if connection.execute(sa.select(table)).first()}
            while empty := [tables[name] for name in tables.keys() - filled]:
                for table in (one for one in empty if _required(one) <= filled):
                    connection.execute(table.insert(), [_row(table, number) for number in range(ROWS)])
                    filled.add(table.name)
    return filled - {"alembic_version"}


def _required(table: sa.Table) -> set[str]:
    """The other tables that its rows must refer to."""
    columns = [column for column in table.columns if not _is_open(column)]
    return {reference.column.table.name for column in columns for reference in column.foreign_keys} - {table.name}


def _reflected(connection: sa.Connection) -> sa.MetaData:
    found = sa.MetaData()
    found.reflect(connection)
    return found


def _row(table: sa.Table, number: int) -> dict[str, Any]:
    """Rows of one number refer to each other."""
    return {column.name: None if _is_open(column) else _value(column, number) for column in table.columns}


def _is_open(column: sa.Column[Any]) -> bool:
    """References that may be left out: they may go to tables that are filled later."""
    return bool(column.nullable and column.foreign_keys)


def _value(column: sa.Column[Any], number: int) -> Any:
    for reference in column.foreign_keys:
        return _value(reference.column, number)
    match column.type:
        case sa.Boolean():
            return False
        case sa.Integer() | sa.Numeric() | sa.Double():
            return number + 1
        case sa.DateTime():
            moment = datetime(2026, 1, 1 + number, tzinfo=UTC)
            return moment if column.type.timezone else moment.replace(tzinfo=None)
        case sa.LargeBinary():
            return b"%d" % number
        case sa.String():
            return f"{number}"
    raise NotImplementedError(f"{column}: {column.type!r}")


def _rows(connection: sa.Connection, table: sa.Table) -> Rows:
    found = connection.execute(sa.select(table).order_by(*table.primary_key)).mappings()
    return [dict(row) for row in found]


def _of(before: Rows, after: Rows) -> Rows:
    """The columns that there were before."""
    names: Mapping[str, Any] = before[0]
    return [{name: value for name, value in row.items() if name in names} for row in after]
