"""A fresh database on a PostgreSQL version; the versions take turns (tests/support/turns.py)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.servers.postgresql import PostgreSQLServer
from tests.support.turns import take_turns
from zcbus.connectors.options import ConnectionOptions


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).parent
    take_turns((item for item in items if item.path.is_relative_to(folder)), "database", lambda _: "postgresql")


@dataclass(frozen=True)
class Database:
    """One database of a server."""

    server: PostgreSQLServer
    name: str

    @property
    def options(self) -> ConnectionOptions:
        return self.server.options(self.name)

    def execute(self, sql: str) -> None:
        self.server.execute(sql, self.name)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.server.rows(sql, self.name)


@pytest.fixture(params=["postgres_server", "postgres18_server"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    server: PostgreSQLServer = request.getfixturevalue(request.param)
    name = server.fresh_database()
    yield Database(server, name)
    server.drop_database(name)
