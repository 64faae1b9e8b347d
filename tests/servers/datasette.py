"""Datasette, a REST service over SQLite files, as the suites see a server."""

import asyncio
import sqlite3
import threading
from typing import Any

import uvicorn
import yaml

from tests.servers.files import FilesFolder
from tests.servers.sqlite import SQLiteFolder
from zcbus.connectors.http.spec import HttpOptions

_TYPES = {"BIGINT": "bigint", "INTEGER": "bigint", "BOOLEAN": "boolean", "DATE": "date", "TIMESTAMP": "timestamp"}
_PAGE = 1000


class DatasetteServer(SQLiteFolder):
    """Each database is a file of SQLite, written by the tests and served; its document is made of its tables."""

    kind = "http"

    def __init__(self, files: FilesFolder) -> None:
        super().__init__(files)
        from datasette.app import Datasette

        self.given: dict[str, Any] = {}
        """Further options."""
        self._datasette = Datasette(
            [], settings={"max_returned_rows": _PAGE, "default_page_size": 100, "sql_time_limit_ms": 60_000}
        )
        config = uvicorn.Config(self._datasette.app(), host="127.0.0.1", port=0, log_level="error", lifespan="on")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._server.serve()), daemon=True)
        self._thread.start()
        deadline = threading.Event()
        while not self._server.started:
            deadline.wait(0.05)
            assert self._thread.is_alive()
        self.port: int = self._server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(30)

    def create_database(self, name: str) -> None:
        super().create_database(name)
        path = str(self.folder / name)
        from datasette.database import Database

        self._datasette.add_database(Database(self._datasette, path=path, is_mutable=True), name=_route(name))

    def drop_database(self, name: str) -> None:
        self._datasette.remove_database(_route(name))
        super().drop_database(name)

    def options(self, database: str) -> HttpOptions:
        given = {"definition": self.document(database), "interval": 1, "overlap": 5, **self.given}
        return HttpOptions(url=f"http://127.0.0.1:{self.port}/{_route(database)}", **given)

    def document(self, database: str) -> str:
        """What declares all tables of a database."""
        with self.connect(database) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            resources = [_resource(connection, name) for name in names]
        pages = {"type": "next-url", "path": "next_url"}
        limits = {"requests_per_second": 1000}
        return yaml.safe_dump({"pages": pages, "limits": limits, "resources": resources or [_NOTHING]}, sort_keys=False)


_NOTHING = {"name": "none", "path": "/none.json", "key": ["id"], "columns": {"id": "bigint"}}


def _route(database: str) -> str:
    return database.partition(".")[0]


def _resource(connection: sqlite3.Connection, name: str) -> dict[str, Any]:
    rows = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
    resource: dict[str, Any] = {
        "name": name,
        "path": f"/{name}.json",
        "query": {"_shape": "objects", "_size": "max", "_nl": "off"},
        "records": "rows",
        "key": [row[1] for row in rows if row[5]] or [rows[0][1]],
        "columns": {row[1]: _TYPES.get(row[2].upper(), "text") for row in rows},
    }
    if any(row[1] == "updated_at" for row in rows):
        resource["query"]["_sort"] = "updated_at"
        resource["cursor"] = {"column": "updated_at", "query": {"updated_at__gte": "${cursor}"}}
    return resource
