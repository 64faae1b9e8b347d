"""A real control plane for tests: its own data folder, a free port, the store the test chooses."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import uvicorn.server
from argon2 import PasswordHasher
from sqlalchemy import Connection

from tests.support.clock import MovableClock
from zcbus.control.bootstrap import build_services, local_token, prepare
from zcbus.control.features.account import passwords
from zcbus.control.platform.services import Services
from zcbus.control.server import serving
from zcbus.control.store import engine, migrate
from zcbus.kit.settings import Settings, load_settings

ADMIN_PASSWORD = "Chosen-by-hand-1"


@dataclass(frozen=True)
class ControlPlane:
    """A running control plane and a client of it."""

    address: str
    services: Services
    clock: MovableClock
    lines: list[str]
    client: httpx.Client

    @property
    def data_dir(self) -> Path:
        return self.services.settings.data_dir

    def post(self, path: str, body: object = None, token: str | None = None, language: str = "en") -> httpx.Response:
        """POST to /api/zcbus/<path>; `body` None sends an empty object."""
        return self.client.post(f"/api/zcbus/{path}", json=body or {}, headers=_headers(token, language))

    def get(self, path: str, token: str | None = None, language: str = "en") -> httpx.Response:
        """GET /api/zcbus/<path>."""
        return self.client.get(f"/api/zcbus/{path}", headers=_headers(token, language))

    def sign_in(self, user_name: str = "admin", password: str = ADMIN_PASSWORD) -> str:
        """A session's token."""
        answer = self.post("sys/authentication/login", {"userName": user_name, "password": password}).json()
        assert answer["code"] == 200, answer
        token: str = answer["data"]["token"]
        return token

    def local_token(self) -> str:
        """The data folder's own token."""
        return local_token(self.data_dir)


@contextmanager
def control_plane(folder: Path, database_url: str | None = None, **settings: str) -> Iterator[ControlPlane]:
    """Start one; `settings` are names without the prefix (`login_captcha="on"`). Nothing happens by itself: a test that
    needs a periodic action calls it."""
    clock = MovableClock()
    with patch.object(engine, "_create_engine", _engine_of):
        services = build_services(_settings(folder, database_url, settings), clock)
    quick = patch.object(migrate, "upgrade", _upgrade_quickly)
    with quick, _quick_hashes(), patch.object(uvicorn.server, "asyncio", _Impatient()):
        lines = prepare(services)
        with serving(services, periodic=False) as address, _client(address) as client:
            yield ControlPlane(address, services, clock, lines, client)


_engine_of = lru_cache(maxsize=4)(engine._create_engine)
"""An engine remembers how its statements are compiled, which is a fourth of what most tests do: where the next control
plane has the same address, it continues with the engine, and with connections of its own."""


_upgrade = migrate.upgrade


def _upgrade_quickly(connection: Connection, version: str) -> None:
    """An empty SQLite store gets what all migrations make, which take a second, as the text of a store that they were
    applied to. That they bring each store there is proven in `test_upgrades` and `test_store`."""
    is_empty = connection.dialect.name == "sqlite" and migrate.current_version(connection) is None
    if not is_empty or version != migrate.needed_version():
        _upgrade(connection, version)
        return
    cursor = connection.connection.cursor()
    for statement in _migrated_store():
        cursor.execute(statement)
    cursor.close()


@cache
def _migrated_store() -> list[str]:
    """The statements that make an SQLite store of this program's version."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        database = engine.Database(f"sqlite:///{path}", MovableClock())
        with database.write() as connection:
            _upgrade(connection, migrate.needed_version())
        database.close()
        store = sqlite3.connect(path)
        statements = [one for one in store.iterdump() if one not in ("BEGIN TRANSACTION;", "COMMIT;")]
        store.close()
        return statements


class _Impatient:
    """asyncio for the web server, which looks ten times a second whether it is to end, and takes two such looks."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    def sleep(self, seconds: float) -> Coroutine[Any, Any, None]:
        return asyncio.sleep(seconds / 10)


def prepare_store(folder: Path, database_url: str) -> None:
    """What the first start does to store and data folder, without serving."""
    services = build_services(_settings(folder, database_url, {}), MovableClock())
    with _quick_hashes():
        prepare(services)
    services.close()


def _quick_hashes() -> AbstractContextManager[object]:
    """That hashes of passwords are slow is proven in `test_passwords`, not at every sign-in."""
    return patch.object(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def _client(address: str) -> httpx.Client:
    # Reading the host's certificates would take longer than starting the control plane, which speaks without TLS here.
    return httpx.Client(base_url=address, timeout=60, verify=False)


def _settings(folder: Path, database_url: str | None, settings: dict[str, str]) -> Settings:
    return load_settings(
        {
            "ZCBUS_DATA_DIR": str(folder / "var"),
            "ZCBUS_PORT": "0",
            "ZCBUS_LOGIN_CAPTCHA": "off",
            "ZCBUS_ADMIN_PASSWORD": ADMIN_PASSWORD,
            **({"ZCBUS_DATABASE_URL": database_url} if database_url else {}),
            **{f"ZCBUS_{name.upper()}": value for name, value in settings.items()},
        }
    )


def _headers(token: str | None, language: str) -> dict[str, Any]:
    headers = {"env": language, "source": "zcbus-console"}
    return {**headers, "ZCBUS-TOKEN": token} if token else headers
