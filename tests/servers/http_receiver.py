"""A service that is written over HTTP, as the suites see a server: rows by key under `/DATABASE/rows/TABLE/…`, and a
receiver of webhooks at `/DATABASE/events` that drops what it has had, as an event's id says."""

import base64
import hashlib
import hmac
import itertools
import json
import os
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from tests.servers.files import TENANT
from tests.support.rest_service import Asked, Reply, RestService
from zcbus.connectors.http.spec import HttpOptions

_NUMBERS = itertools.count(1)
KEY = b"signing key of the tests"
SIGNING = "whsec_" + base64.b64encode(KEY).decode()
LIMITS = "limits: {requests_per_second: 1000, attempts: 1}\n"
WEBHOOK = LIMITS + "targets:\n  - {name: '*', type: webhook, path: /events}\n"
ROWS = (
    LIMITS
    + """\
targets:
  - name: orders
    type: rows
    key: [id]
    columns: {id: bigint, name: text, amount: text, body: text}
    put: {method: PUT, path: "/rows/orders/${row.id}"}
    patch: {method: PATCH, path: "/rows/orders/${row.id}"}
    delete: {method: DELETE, path: "/rows/orders/${row.id}", content: none}
resources:
  - name: orders
    path: /rows/orders
    key: [id]
    columns: {id: bigint, name: text, amount: text, body: text}
"""
)


class HttpReceiver:
    """Not of one database: each has a path of its own."""

    kind = "http"
    schema = "http"

    def __init__(self, service: RestService) -> None:
        self.service = service
        service.answer = self._answer
        self.definition = WEBHOOK
        self.before: Callable[[Asked], Reply | None] = lambda _: None
        """What is answered instead, to fail."""
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, str], dict[str, dict[str, Any]]] = defaultdict(dict)
        self.events: dict[str, list[dict[str, Any]]] = defaultdict(list)
        """By database, each id once, in the order of arrival."""
        self.repeated: list[dict[str, Any]] = []
        self._seen: dict[str, dict[str, Any]] = {}

    def fresh_database(self, prefix: str = "test") -> str:
        return f"{prefix}_{os.getpid()}_{next(_NUMBERS)}"

    def drop_database(self, name: str) -> None:
        """Nothing is kept on disk."""

    def options(self, database: str) -> HttpOptions:
        return HttpOptions(
            url=f"{self.service.url}/{database}", definition=self.definition, signing=SIGNING, tenant=TENANT
        )

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """As requests and events have left them, by key."""
        with self._lock:
            found = list(self._rows[database, table].values())
        return sorted(found, key=lambda row: int(row["id"]) if "id" in row else repr(row))

    def _answer(self, asked: Asked) -> Reply:
        instead = self.before(asked)
        if instead is not None:
            return instead
        _, database, place, *rest = map(unquote, asked.path.split("/"))
        with self._lock:
            if place == "events":
                return self._receive(database, asked)
            return self._keep(database, asked, *rest)

    def _keep(self, database: str, asked: Asked, table: str, key: str = "") -> Reply:
        rows = self._rows[database, table]
        if asked.method == "GET":
            return Reply(list(rows.values()))
        if asked.method == "PUT":
            rows[key] = asked.json
        elif key not in rows:
            return Reply(status=404)
        elif asked.method == "PATCH":
            rows[key] |= asked.json
        else:
            del rows[key]
        return Reply(status=204)

    def _receive(self, database: str, asked: Asked) -> Reply:
        identifier, seconds = asked.headers["webhook-id"], asked.headers["webhook-timestamp"]
        signed = f"{identifier}.{seconds}.".encode() + asked.body
        wanted = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        if asked.headers["webhook-signature"] != wanted:
            return Reply("wrong signature", status=400)
        for event in asked.json if isinstance(asked.json, list) else [asked.json]:
            known = self._seen.setdefault(event["id"], event)
            if known is event:
                self.events[database].append(event)
                self._apply(self._rows[database, event["table"]], event)
            else:
                self.repeated.append(event)
                assert {**known, "operation": ""} == {**event, "operation": ""}
        return Reply(status=200)

    def _apply(self, rows: dict[str, dict[str, Any]], event: dict[str, Any]) -> None:
        key = json.dumps(event.get("key"), sort_keys=True)
        operation = event["operation"]
        if operation == "truncate":
            rows.clear()
        elif operation == "delete":
            rows.pop(key, None)
        elif operation == "update":
            row = {**rows.pop(key, {}), **event["row"]}
            rows[json.dumps({name: row[name] for name in event["key"]}, sort_keys=True)] = row
        elif operation != "structure":
            rows[key] = event["row"]
