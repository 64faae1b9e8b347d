"""The metadata store on both databases.

A statement is the same on both, and each is run by several tests: in `make test` a test runs on one store, chosen by
its name. PostgreSQL takes twice the processor of SQLite, so an eighth of the tests has it. On both run those marked
`every_store`; the soak runs each on the other.
"""

import re
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.postgresql import PostgreSQLServer
from tests.support.control_plane import ControlPlane, control_plane, prepare_store
from tests.support.parts import SOAK, leave_to
from tests.support.restored_database import RestoredDatabase
from tests.support.states import assert_states_hold

_TESTS_PER_POSTGRESQL = 8
_STORE = re.compile(r"\b(sqlite|postgresql)\b")

STORES = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param("postgresql", id="postgresql", marks=pytest.mark.server),
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and _is_on_the_other_store(item):
            leave_to(SOAK, item)


def _is_on_the_other_store(item: pytest.Item) -> bool:
    """Whether this is the case of a test, which runs on both stores, that `make test` does without."""
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    store = parameters.get("prepared_store") or parameters.get("store_url")
    if store is None or item.get_closest_marker("every_store") or _names_its_store(item):
        return False
    test = _STORE.sub("", f"{item.path.name}::{item.name}")
    wanted = "sqlite" if zlib.crc32(test.encode()) % _TESTS_PER_POSTGRESQL else "postgresql"
    return bool(store != wanted)


def _names_its_store(item: pytest.Item) -> bool:
    """Whether a mark of the test or its module names one store."""
    return any("prepared_store" in str(mark.args[:1]) for mark in item.iter_markers("parametrize"))


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty store; each test that uses it runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/store.db"
        return
    server: PostgreSQLServer = request.getfixturevalue("postgres_server")
    name = server.fresh_database("store")
    yield url_of(server, name)
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
    yield url_of(database.server, database.name)
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
    url = url_of(postgres_server, name)
    return folder, RestoredDatabase.prepared(postgres_server, name, lambda: prepare_store(folder, url))


def _copied(store: Path, copy: Path) -> str:
    """The address of a copy of an SQLite store, replacing the previous test's."""
    for left in copy.parent.glob(f"{copy.name}*"):
        left.unlink()
    shutil.copy(store, copy)
    return f"sqlite:///{copy}"


def url_of(server: PostgreSQLServer, name: str) -> str:
    """The address of a store in a PostgreSQL database."""
    return f"postgresql+psycopg://{server.user}:{server.password}@{server.host}:{server.port}/{name}"
