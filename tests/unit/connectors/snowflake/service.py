"""An account of Snowflake as its documentation describes the SQL API. DuckDB runs the statements, which proves what is
said and read, not the product."""

import gzip
import json
import threading
from dataclasses import dataclass, field
from typing import Any

import duckdb

from tests.support.rest_service import Asked, Reply

STATEMENTS = "/api/v2/statements"
_LIKE_THERE = (
    "CREATE SCHEMA IF NOT EXISTS PUBLIC",
    "CREATE MACRO TO_VARCHAR(x, form) AS CASE form WHEN 'HEX' THEN hex(CAST(x AS BLOB)) "
    "WHEN 'YYYY-MM-DD' THEN strftime(CAST(x AS TIMESTAMP), '%Y-%m-%d') "
    "ELSE strftime(CAST(x AS TIMESTAMP), '%Y-%m-%d %H:%M:%S.%f') || '000' END",
    "CREATE TYPE TIMESTAMP_NTZ AS TIMESTAMP",
)


@dataclass
class Account:
    """Answers requests; `columns`: rows of INFORMATION_SCHEMA.COLUMNS of the table PUBLIC.ORDERS, and its key."""

    columns: list[tuple[Any, ...]]
    key: tuple[str, ...]
    rows_each: int = 2
    """Of a partition."""
    token: str = "s3cret"
    waits: int = 1
    """How often a statement is still running when it is asked after."""
    failure: Reply | None = None
    statements: list[dict[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.database = duckdb.connect()
        self._lock = threading.Lock()
        self._results: dict[str, tuple[list[str], list[list[str | None]]]] = {}
        self._waiting: dict[str, int] = {}
        for statement in _LIKE_THERE:
            self.database.execute(statement)

    def __call__(self, asked: Asked) -> Reply:
        if asked.headers["authorization"] != f"Bearer {self.token}":
            return Reply({"code": "390144", "message": "Programmatic access token is invalid."}, 401)
        assert asked.headers["x-snowflake-authorization-token-type"] == "PROGRAMMATIC_ACCESS_TOKEN"
        with self._lock:
            if asked.path == STATEMENTS:
                return self._begin(asked.json)
            handle = asked.path.removeprefix(STATEMENTS + "/")
            if handle.endswith("/cancel"):
                self.cancelled.append(handle.removesuffix("/cancel"))
                return Reply({"code": "000604", "message": "cancelled"})
            if "partition" in asked.query:
                content = json.dumps({"data": self._partition(handle, int(asked.query["partition"]))}).encode()
                return Reply(gzip.compress(content), headers={"Content-Encoding": "gzip"})
            return self._state(handle)

    def _begin(self, content: dict[str, Any]) -> Reply:
        self.statements.append(content)
        if self.failure is not None:
            return self.failure
        values = [one["value"] for _, one in sorted(content.get("bindings", {}).items(), key=lambda one: int(one[0]))]
        try:
            result = self._run(content["statement"], values)
        except duckdb.CatalogException as error:
            return Reply({"code": "002003", "message": str(error), "sqlState": "42S02"}, 422)
        handle = f"01b{len(self.statements)}"
        self._results[handle], self._waiting[handle] = result, self.waits
        return Reply({"code": "333334", "message": "in progress", "statementHandle": handle}, 202)

    def _run(self, sql: str, values: list[Any]) -> tuple[list[str], list[list[str | None]]]:
        if sql.startswith("SHOW PRIMARY KEYS"):
            names = ["schema_name", "table_name", "column_name", "key_sequence"]
            return names, [["PUBLIC", "ORDERS", name, str(at)] for at, name in enumerate(self.key, 1)]
        if "INFORMATION_SCHEMA.COLUMNS" in sql:
            found = self.columns if values == ["PUBLIC", "ORDERS"] else []
            return ["COLUMN_NAME"], [[_text(value) for value in row] for row in found]
        if "INFORMATION_SCHEMA.TABLES" in sql and "COUNT(*)" not in sql:
            return ["TABLE_SCHEMA"], [["PUBLIC", "ORDERS", "3", "1024", "Aufträge"]]
        if "INFORMATION_SCHEMA.SCHEMATA" in sql:
            return ["SCHEMA_NAME"], [["PUBLIC"], ["INFORMATION_SCHEMA"]]
        found_rows = self.database.execute(sql.replace("CURRENT_VERSION()", "'9.30.1'"), values or None)
        names = [str(one[0]) for one in found_rows.description or ()]
        return names, [[_text(value) for value in row] for row in found_rows.fetchall()]

    def _state(self, handle: str) -> Reply:
        if self._waiting[handle] > 0:
            self._waiting[handle] -= 1
            return Reply({"code": "333334", "message": "in progress", "statementHandle": handle}, 202)
        names, rows = self._results[handle]
        parts = [{"rowCount": 0}] * max(1, -(-len(rows) // self.rows_each))
        described = {"rowType": [{"name": name} for name in names], "partitionInfo": parts, "format": "jsonv2"}
        first = {"resultSetMetaData": described, "data": self._partition(handle, 0), "statementHandle": handle}
        return Reply({**first, "code": "090001", "sqlState": "00000"})

    def _partition(self, handle: str, number: int) -> list[list[str | None]]:
        return self._results[handle][1][number * self.rows_each : (number + 1) * self.rows_each]


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return str(value)
