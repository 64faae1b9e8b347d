"""A private server of documents, FerretDB with SQLite behind it, and a MongoDB that an operator runs."""

import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pymongo import MongoClient
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import PyMongoError

from tests.servers.maven import ServerNotAvailable
from tests.servers.small_sql import created, inserted, updated
from tests.support.certificate import self_signed
from tests.support.processes import die_with_parent, wait_until
from tests.support.scripts import load
from zcbus.connectors.mongodb.catalog import Catalog
from zcbus.connectors.mongodb.connection import CODEC, MongoDBConnection
from zcbus.connectors.mongodb.spec import SCHEMA, MongoDBOptions
from zcbus.model.schema import TableName

_SECONDS = 30.0
_NUMBERS = itertools.count(1)
_NAMED = re.compile(r"([^:]+):(.*)@([^@:/]+):(\d+)/(.+)")


class MongoDBServer:
    """A running server. Statements of the suites' SQL become requests of the driver, without the connector."""

    kind = "mongodb"
    host = "127.0.0.1"
    user = password = ""

    def __init__(self) -> None:
        program = load("install_test_programs").documents_program()
        if not program.exists():
            raise ServerNotAvailable("the server of documents is built by scripts/install_test_programs.py, with Go")
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-documents-"))
        (self._folder / "data").mkdir()
        self.port, self.tls_port = _free_port(), _free_port()
        certificate, key = self_signed()
        self.certificate, self._key = self._folder / "certificate.pem", self._folder / "key.pem"
        self.certificate.write_bytes(certificate)
        self._key.write_bytes(key)
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def options(self, database: str, **fields: Any) -> MongoDBOptions:
        given = {"host": self.host, "port": self.port, "interval": 1, "values": "common"}
        return MongoDBOptions(**{**given, "database": database, **fields})

    def fresh_database(self, prefix: str = "test") -> str:
        return f"{prefix.lower()}_{os.getpid()}_{next(_NUMBERS)}"

    def drop_database(self, name: str) -> None:
        with self.client() as client:
            client.drop_database(name)

    @contextmanager
    def client(self) -> "Iterator[MongoClient[dict[str, Any]]]":
        """The driver, without the connector."""
        account: dict[str, Any] = (
            {"username": self.user, "password": self.password, "authSource": "admin"} if self.user else {}
        )
        client: MongoClient[dict[str, Any]] = MongoClient(
            self.host, self.port, directConnection=True, serverSelectionTimeoutMS=2000, **account
        )
        with client:
            yield client

    @contextmanager
    def database(self, name: str) -> Iterator[Database[dict[str, Any]]]:
        with self.client() as client:
            yield client.get_database(name, codec_options=CODEC)

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The documents of a collection, without what marks them as ours; in any order."""
        with self.database(database) as found:
            documents = list(found[table].find({"_zcbus_gone": None}))
        return [{name: one for name, one in document.items() if name != "_zcbus"} for document in documents]

    def execute(self, statement: str, database: str) -> None:
        """A statement of the suites: tables are defined as the platform does it, rows are written without it."""
        words = statement.split()
        with self.database(database) as found:
            if words[0] == "CREATE":
                self._create(statement, database, found)
            elif words[0] == "INSERT":
                self._insert(statement, database, found[words[2]])
            elif words[0] == "UPDATE":
                _update(statement, found[words[1]])
            else:
                raise NotImplementedError(statement)

    def start(self) -> None:
        """Start on the same port as before, wait until it answers."""
        places = [f"{self.host}:{self.port}", self._folder / "data", f"{self.host}:{self.tls_port}"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(one) for one in (self._program, *places, self.certificate, self._key)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                preexec_fn=die_with_parent,
            )
        wait_until(self._answers, _SECONDS, "the server of documents answers")

    def kill(self) -> None:
        """SIGKILL; its data stays."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                client.admin.command("ping")
        except PyMongoError:
            return False
        return True

    def _create(self, statement: str, database: str, found: Database[dict[str, Any]]) -> None:
        schema = created(statement, SCHEMA)
        with MongoDBConnection(self.options(database), "target") as connection:
            Catalog(connection).define(schema)
        found.create_collection(schema.name.table)

    def _insert(self, statement: str, database: str, collection: Collection[dict[str, Any]]) -> None:
        with MongoDBConnection(self.options(database), "target") as connection:
            (schema,) = Catalog(connection).defined([TableName(SCHEMA, collection.name)]).values()
        documents = []
        for row in inserted(statement):
            given = dict(zip(schema.names, row, strict=True))
            key = [given[name] for name in schema.primary_key]
            document = {name: value for name, value in given.items() if value is not None}
            one = key[0] if len(key) == 1 else dict(zip(schema.primary_key, key, strict=True))
            documents.append({"_id": one, **document})
        collection.insert_many(documents)


class NamedMongoDB(MongoDBServer):
    """One that an operator runs, where ZCBUS_TEST_MONGODB=user:password@host:port/authsource names it. The user may
    create databases, which the suite drops. Raises ServerNotAvailable."""

    def __init__(self) -> None:
        named = _NAMED.fullmatch(os.environ.get("ZCBUS_TEST_MONGODB", ""))
        if named is None:
            raise ServerNotAvailable("preview: ZCBUS_TEST_MONGODB=user:password@host:port/authsource names no server")
        self.user, self.password, self.host, port, self._source = named.groups()
        self.port, self._process = int(port), None

    def options(self, database: str, **fields: Any) -> MongoDBOptions:
        account = {"user": self.user, "password": self.password, "authsource": self._source, "values": "bson"}
        return super().options(database, **{**account, **fields})

    def start(self) -> None:
        """It runs."""

    def kill(self) -> None:
        """It is not ours."""

    def remove(self) -> None:
        """It stays."""


def _update(statement: str, collection: Collection[dict[str, Any]]) -> None:
    changes, column, value = updated(statement)
    collection.update_one({column: value}, {"$set": changes})


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
