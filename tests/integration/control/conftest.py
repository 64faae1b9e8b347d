"""The metadata store on both databases."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.postgresql import PostgreSQLServer
from tests.support.control_plane import ControlPlane, control_plane, prepare_store
from tests.support.restored_database import RestoredDatabase
from tests.support.states import assert_states_hold

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
    yield _url(server, name)
    server.drop_database(name)


@pytest.fixture
def plane(prepared_store: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """A running control plane without captcha; its administrator's password is ADMIN_PASSWORD."""
    with control_plane(tmp_path, prepared_store) as running:
        yield running
        assert_states_hold(running.services)


@pytest.fixture(params=STORES)
def prepared_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store after its first start, with the data folder's files in `tmp_path`. Made once, then copied
    (SQLite) or put back to how it was (PostgreSQL): that saves most of a second for each test."""
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("prepared_sqlite")
        shutil.copytree(folder / "var", tmp_path / "var")
        yield _copied(folder / "store.db", folder / "copy.db")
        return
    kept, database = request.getfixturevalue("prepared_postgresql")
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    yield _url(database.server, database.name)
    database.restore()


@pytest.fixture(scope="session")
def prepared_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared-sqlite")
    prepare_store(folder, f"sqlite:///{folder}/store.db")
    return folder


@pytest.fixture(scope="session")
def prepared_postgresql(
    postgres_server: PostgreSQLServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, RestoredDatabase]:
    folder = tmp_path_factory.mktemp("prepared-postgresql")
    name = postgres_server.fresh_database("prepared")
    url = _url(postgres_server, name)
    return folder, RestoredDatabase.prepared(postgres_server, name, lambda: prepare_store(folder, url))


def _copied(store: Path, copy: Path) -> str:
    """The address of a copy of an SQLite store, replacing the previous test's."""
    for left in copy.parent.glob(f"{copy.name}*"):
        left.unlink()
    shutil.copy(store, copy)
    return f"sqlite:///{copy}"


def _url(server: PostgreSQLServer, name: str) -> str:
    return f"postgresql+psycopg://{server.user}:{server.password}@{server.host}:{server.port}/{name}"
