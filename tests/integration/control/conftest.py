"""The metadata store on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.postgresql import PostgreSQLServer
from tests.support.control_plane import ControlPlane, control_plane

STORES = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param("postgresql", id="postgresql", marks=pytest.mark.server),
]


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty store; each test that uses it runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/store.db"
        return
    server: PostgreSQLServer = request.getfixturevalue("postgres_server")
    name = server.fresh_database("store")
    yield f"postgresql+psycopg://{server.user}:{server.password}@{server.host}:{server.port}/{name}"
    server.drop_database(name)


@pytest.fixture
def plane(store_url: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """A running control plane without captcha; its administrator's password is ADMIN_PASSWORD."""
    with control_plane(tmp_path, store_url) as running:
        yield running
