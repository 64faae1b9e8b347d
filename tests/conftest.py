"""Fixtures for the whole suite. With pytest-xdist every worker starts servers of its own.

The MariaDB fixture `mariadb_server` is made the same way from tests/servers/mariadb.py.
"""

from collections.abc import Iterator

import pytest
from tests.servers.postgresql import PostgreSQLServer


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgreSQLServer]:
    """PostgreSQL 16."""
    server = PostgreSQLServer(16)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgres18_server() -> Iterator[PostgreSQLServer]:
    """PostgreSQL 18."""
    server = PostgreSQLServer(18)
    yield server
    server.remove()
