"""What tests need of a database server, whichever it is."""

import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.registry import spec_of

_NUMBERS = itertools.count(1)


class Server(ABC):
    """A private server. Statements run outside of transactions (autocommit) as its administrator."""

    kind: str
    """Kind of the connector: `postgresql`, `mysql`."""
    host: str = "127.0.0.1"
    port: int
    user: str
    password: str

    def options(self, database: str | None = None) -> ConnectionOptions:
        """The administrator's options for a database (None: the server's default one)."""
        name = self.default_database if database is None else database
        return cast("type[ConnectionOptions]", spec_of(self.kind).model)(
            self.host, self.port, self.user, self.password, name
        )

    def fresh_database(self, prefix: str = "test") -> str:
        """Create an empty database with a unique name; returns the name."""
        name = f"{prefix}_{os.getpid()}_{next(_NUMBERS)}"
        self.create_database(name)
        return name

    @property
    @abstractmethod
    def default_database(self) -> str:
        """The database that is always there."""

    @property
    @abstractmethod
    def pid(self) -> int | None:
        """Process id while it runs."""

    @abstractmethod
    def connect(self, database: str | None = None) -> AbstractContextManager[Any]:
        """A new DB-API connection of the driver, in autocommit mode; leaving the context closes it."""

    @abstractmethod
    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        """Run one statement (without params: also several, separated by semicolons)."""

    @abstractmethod
    def rows(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""

    @abstractmethod
    def create_database(self, name: str) -> None:
        """Create an empty database."""

    @abstractmethod
    def drop_database(self, name: str) -> None:
        """Drop a database and everybody's sessions in it."""

    @abstractmethod
    def start(self) -> None:
        """Start on the same port as before, wait until it answers."""

    @abstractmethod
    def stop(self) -> None:
        """Stop in order; its data stays."""

    @abstractmethod
    def kill(self) -> None:
        """SIGKILL; its data stays."""

    @abstractmethod
    def remove(self) -> None:
        """Stop and delete everything."""

    def restart(self) -> None:
        """Stop in order and start again on the same port."""
        self.stop()
        self.start()
