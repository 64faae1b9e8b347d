"""Places that the browser tests replicate to and from besides servers of SQL, read without the platform's connectors.

Speaks JSON lines over its pipes: `{"do": "prepare" | "rows" | "execute" | "sheet", …}` in, `{"answer": …}` or
`{"error": …}` out. When its input ends it stops and removes every server it started.
"""

import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Protocol

import duckdb
import pyarrow as pa
import xlsxwriter
from deltalake import DeltaTable
from pyarrow import csv
from tests.servers.http_receiver import HttpReceiver
from tests.servers.nats import NatsServer
from tests.servers.valkey import ValkeyServer
from tests.support.rest_service import rest_service

_TABLE = "orders"
_LOCKED_SECONDS = 20.0
_DEFINITION = """\
limits: {requests_per_second: 1000}
targets:
  - name: orders
    type: rows
    key: [id]
    columns: {id: bigint, name: text, updated_at: bigint}
    put: {method: PUT, path: "/rows/orders/${row.id}"}
    patch: {method: PATCH, path: "/rows/orders/${row.id}"}
    delete: {method: DELETE, path: "/rows/orders/${row.id}", content: none}
"""


class _Place(Protocol):
    """A server, in which each test has a part of its own."""

    def prepare(self, name: str) -> dict[str, Any]: ...

    def rows(self, name: str) -> Iterable[dict[str, Any]]: ...


class _Nats:
    def __init__(self, ending: ExitStack) -> None:
        self._server = NatsServer()
        ending.callback(self._server.remove)

    def prepare(self, name: str) -> dict[str, Any]:
        self._server.create(name)
        return {"port": self._server.port}

    def rows(self, name: str) -> Iterable[dict[str, Any]]:
        """As the events have left them."""
        found: dict[str, dict[str, Any]] = {}
        for _, _, data in self._server.messages(name):
            event = json.loads(data)
            if "row" in event:
                found[json.dumps(event["key"])] = event["row"]
        return found.values()


class _Valkey:
    def __init__(self, ending: ExitStack) -> None:
        self._server = ValkeyServer()
        ending.callback(self._server.remove)

    def prepare(self, name: str) -> dict[str, Any]:
        return {"port": self._server.port}

    def rows(self, name: str) -> Iterable[dict[str, Any]]:
        """Keys begin with the test's name."""
        with self._server.client() as client:
            return [client.hgetall(key) for key in client.keys(f"{name}:{_TABLE}:*")]


class _Http:
    def __init__(self, ending: ExitStack) -> None:
        self._receiver = HttpReceiver(ending.enter_context(rest_service()))

    def prepare(self, name: str) -> dict[str, Any]:
        return {"url": self._receiver.service.url, "definition": _DEFINITION}

    def rows(self, name: str) -> Iterable[dict[str, Any]]:
        return self._receiver.rows(name, _TABLE)


_SERVERS: dict[str, Callable[[ExitStack], _Place]] = {"nats": _Nats, "redis": _Valkey, "http": _Http}


def _duckdb(path: Path) -> list[dict[str, Any]]:
    """One process has the file at a time: wait until the platform's is through with it."""
    deadline = time.monotonic() + _LOCKED_SECONDS
    while True:
        try:
            with duckdb.connect(str(path), read_only=True) as file:
                return file.table(_TABLE).to_arrow_table().to_pylist()
        except duckdb.IOException:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _sqlite(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as file:
        file.row_factory = sqlite3.Row
        return [dict(row) for row in file.execute(f"select * from {_TABLE}")]


def _delta(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = DeltaTable(path / _TABLE).to_pyarrow_table().to_pylist()
    return rows


def _csv(path: Path) -> list[dict[str, Any]]:
    """The rows of the files that count."""
    named = json.loads((path / _TABLE / "_latest.json").read_bytes())["files"]
    tables = [csv.read_csv(path / _TABLE / one["name"]) for one in named]
    return pa.concat_tables(tables).to_pylist() if tables else []


_FILES: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "duckdb": _duckdb,
    "sqlite": _sqlite,
    "delta": _delta,
    "csv": _csv,
}


def main() -> None:
    started: dict[str, _Place] = {}
    with ExitStack() as ending:
        for line in sys.stdin:
            print(json.dumps(_answer(started, ending, json.loads(line))), flush=True)


def _answer(started: dict[str, _Place], ending: ExitStack, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": _perform(started, ending, request)}
    except Exception as error:  # noqa: BLE001  the browser test that asked gets the error
        return {"error": f"{type(error).__name__}: {error}"}


def _perform(started: dict[str, _Place], ending: ExitStack, request: dict[str, Any]) -> Any:
    match request:
        case {"do": "execute", "path": path, "sql": sql}:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path)) as file:
                file.executescript(sql)
            return None
        case {"do": "sheet", "path": path, "rows": rows}:
            return _write_sheet(Path(path), rows)
        case {"do": "prepare", "kind": kind, "name": name}:
            if kind in _FILES:
                return {}
            if kind not in started:
                started[kind] = _SERVERS[kind](ending)
            return started[kind].prepare(name)
        case {"do": "rows", "kind": kind, "name": name, "path": path}:
            found = _FILES[kind](Path(path)) if kind in _FILES else started[kind].rows(name)
            return sorted([int(row["id"]), row["name"]] for row in found)
    raise ValueError(request)


def _write_sheet(path: Path, rows: list[list[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}")
    with xlsxwriter.Workbook(made) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    made.rename(path)


if __name__ == "__main__":
    main()
