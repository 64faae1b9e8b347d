"""The control plane's list call beside the same answer written by hand."""

import http.client
import json
import multiprocessing
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import orjson
import sqlalchemy as sa
import uvicorn
from fastapi import APIRouter, FastAPI, Response

from bench.report import Result
from bench.timing import compare, seconds
from zcbus.control.app import create_app
from zcbus.control.bootstrap import build_services, prepare
from zcbus.control.features.service_account.tokens import create_api_token
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import ListDefinition, Listing, Page, PageRequest, answer_page
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Schema
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_record
from zcbus.demo.embedded import free_port
from zcbus.kit.ids import new_id
from zcbus.kit.logging import configure_logging
from zcbus.kit.settings import Settings, load_settings

_ROWS = 1000
_CALLS = 400
_PLATFORM, _BY_HAND = "/api/zcbus/bench/page", "/by-hand"
_BY_HAND_QUERY = (
    "SELECT id, recorded_at, tenant_id, user_name, action, path, result FROM audit_record "
    "ORDER BY recorded_at DESC, id LIMIT 20 OFFSET 0"
)
_BY_HAND_KEYS = ("id", "recordedAt", "tenantId", "userName", "action", "path", "result")


class _Record(Schema):
    id: str
    recorded_at: datetime
    tenant_id: str | None
    user_name: str | None
    action: str
    path: str
    result: str


_LIST: ListDefinition[_Record] = ListDefinition(_Record)


def run() -> Iterator[Result]:
    """A page of 20 rows over HTTP, signed in, on SQLite."""
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-control-") as folder:
        settings = load_settings({"ZCBUS_DATA_DIR": folder, "ZCBUS_PORT": str(free_port())})
        token = _fill(settings)
        server = multiprocessing.get_context("spawn").Process(target=_serve, args=(settings,), daemon=True)
        server.start()
        try:
            _wait_until_ready(settings.port)
            measure = partial(_calls, settings.port, token)
            yield from compare(
                "control",
                "list call of 20 rows, signed in",
                "calls",
                _CALLS,
                partial(measure, _PLATFORM),
                {"the same endpoint by hand, nobody signed in": partial(measure, _BY_HAND)},
            )
        finally:
            server.terminate()
            server.join()


def _fill(settings: Settings) -> str:
    services = build_services(settings)
    prepare(services)
    now = services.clock.now()
    values = {"recorded_at": now, "tenant_id": "default", "user_name": "admin", "request_id": "bench"}
    rows = [{**values, "id": new_id(), "action": f"a{n}", "path": "/", "result": "done"} for n in range(_ROWS)]
    with services.database.write() as connection:
        connection.execute(audit_record.insert(), rows)
    token = create_api_token(services, name="bench").token
    services.close()
    return token


def _serve(settings: Settings) -> None:
    configure_logging("WARNING")
    uvicorn.run(_application(build_services(settings)), port=settings.port, access_log=False, log_level="warning")


def _application(services: Services) -> FastAPI:
    application = create_app(services)
    api = Api("bench")
    order = [audit_record.c.recorded_at.desc(), audit_record.c.id]
    listing = Listing(_LIST, sa.select(audit_record), order, _Record.of_row)

    @api.read(_PLATFORM, signed_in(), lists=_LIST)
    def page(call: Call, body: PageRequest) -> Page[_Record]:
        return answer_page(call, body, listing)

    application.include_router(api.router)
    application.include_router(_by_hand(services.settings.data_dir / "zcbus.db"))
    return application


def _by_hand(path: Path) -> APIRouter:
    router, own = APIRouter(), threading.local()

    @router.post(_BY_HAND)
    def page(body: PageRequest) -> Response:
        connection: sqlite3.Connection = getattr(own, "connection", None) or sqlite3.connect(path)
        own.connection = connection
        records = [dict(zip(_BY_HAND_KEYS, row, strict=True)) for row in connection.execute(_BY_HAND_QUERY)]
        total = connection.execute("SELECT count(*) FROM audit_record").fetchone()[0]
        answer = {"code": 200, "message": "", "data": {"records": records, "total": total}}
        return Response(orjson.dumps(answer), media_type="application/json")

    return router


def _calls(port: int, token: str, path: str) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json", "ZCBUS-TOKEN": token}

    def call() -> None:
        connection.request("POST", path, b"{}", headers)
        answer = json.loads(connection.getresponse().read())
        if len(answer["data"]["records"]) != 20 or answer["data"]["total"] != _ROWS:
            raise RuntimeError(f"a wrong answer from {path}")

    def call_often() -> None:
        for _ in range(_CALLS):
            call()

    call()
    taken = seconds(call_often)
    connection.close()
    return taken


def _wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
