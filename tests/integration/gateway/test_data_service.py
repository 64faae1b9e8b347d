"""A data service over real databases: callers get rows or a clear refusal, and each call leaves a line."""

import hashlib
import json
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.servers.base import Server
from tests.support.certificates import own_certificate
from tests.support.readers import reader_of

from zcbus.connectors.options import ConnectionOptions
from zcbus.engine.task_box import TaskBox
from zcbus.gateway.calls import Call
from zcbus.gateway.proof import signature
from zcbus.gateway.service import DataService
from zcbus.kit.gateway_settings import GatewaySettings, parse_networks
from zcbus.kit.parent import child_environment
from zcbus.protocol.base import Connection
from zcbus.protocol.data_service import ApiApp, ApiCall, ApiCallsReport, ApiQuery, DataServiceTask, PublishedApi

pytestmark = pytest.mark.server

SECRET = "a-secret-of-a-test"
HASH = hashlib.sha256(SECRET.encode()).hexdigest()
DEADLINE_S = 60.0


def connection_to(options: ConnectionOptions) -> Connection:
    """The connection as a task says it."""
    return Connection.model_validate(
        {"kind": options.kind, "options": options.document(), "secrets": options.secrets()}
    )


@pytest.fixture(params=["postgres_server", "mariadb_server"])
def connection(request: pytest.FixtureRequest) -> Iterator[Connection]:
    server: Server = request.getfixturevalue(request.param)
    database = server.fresh_database()
    server.execute("CREATE TABLE goods (id INT PRIMARY KEY, name VARCHAR(50), price DECIMAL(8,2))", database)
    server.execute("INSERT INTO goods VALUES (1,'tea',1.5),(2,'茶',2.25),(3,'cup',NULL)", database)
    with reader_of(server, database) as options:
        yield connection_to(options)
    server.drop_database(database)


def query(statement: str, *parameters: dict[str, Any], **more: Any) -> ApiQuery:
    return ApiQuery.model_validate({"source": "s", "statement": statement, "parameters": parameters, **more})


def task_of(connection: Connection, port: int = 0, **app: Any) -> DataServiceTask:
    by_id = {"name": "id", "type": "integer", "many": True}
    apis = {
        "all": query("SELECT id, name, price FROM goods ORDER BY id", row_limit=2),
        "by-id": query("SELECT name FROM goods WHERE id IN (:id) ORDER BY id", by_id),
        "broken": query("SELECT nothing FROM goods"),
        "kept": query("SELECT name FROM goods WHERE id = :id", {"name": "id", "type": "integer"}),
        "secret": query("SELECT 1 AS one"),
    }
    published = tuple(
        PublishedApi(id=name, path=f"/shop/{name}", version=1, query=one, cache_s=60 if name == "kept" else 0)
        for name, one in apis.items()
    )
    granted = [name for name in apis if name != "secret"]
    known = ApiApp.model_validate({"id": "app", "key": "k", "secret_hash": HASH, "apis": granted, **app})
    return DataServiceTask(
        service="svc", host="127.0.0.1", port=port, sources={"s": connection}, apis=published, apps=(known,)
    )


class Running:
    """A data service in a thread, and a client that calls it."""

    def __init__(self, task: DataServiceTask, settings: GatewaySettings | None = None) -> None:
        self.box, self._stop = TaskBox(task), threading.Event()
        self.service = DataService(self.box, self._stop, settings=settings)
        self._thread = threading.Thread(target=self.service.run, daemon=True)
        self._thread.start()
        eventually(lambda: self.service.address is not None)
        scheme = "https" if settings is not None and settings.tls else "http"
        port = self.service.address[1] if self.service.address else 0
        self.client = httpx.Client(base_url=f"{scheme}://127.0.0.1:{port}", timeout=60, verify=scheme == "http")
        self.client.headers["authorization"] = f"Bearer k:{SECRET}"

    def close(self) -> None:
        self.client.close()
        self._stop.set()
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()

    def lines(self) -> list[ApiCall]:
        return [
            line for report in self.service.reports() if isinstance(report, ApiCallsReport) for line in report.calls
        ]


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def running(connection: Connection) -> Iterator[Running]:
    made = Running(task_of(connection))
    yield made
    made.close()


def test_rows_by_pages_forms_and_values(running: Running) -> None:
    client = running.client
    first = client.get("/shop/all").json()
    assert first["code"] == 200
    assert first["data"]["records"] == [
        {"id": 1, "name": "tea", "price": "1.50"},
        {"id": 2, "name": "茶", "price": "2.25"},
    ]
    assert (first["data"]["more"], first["data"]["current"], first["data"]["size"]) == (True, 1, 2)
    second = client.get("/shop/all?_page=2").json()["data"]
    assert (second["records"], second["more"]) == ([{"id": 3, "name": "cup", "price": None}], False)
    text = client.get("/shop/all?_format=csv")
    assert text.headers["content-type"] == "text/csv; charset=utf-8"
    assert text.text == "id,name,price\r\n1,tea,1.50\r\n2,茶,2.25\r\n"
    assert client.get("/shop/by-id?id=1&id=3").json()["data"]["records"] == [{"name": "tea"}, {"name": "cup"}]
    posted = client.post("/shop/by-id", json={"id": [2, "3"]}).json()
    assert posted["data"]["records"] == [{"name": "茶"}, {"name": "cup"}]
    lines = running.lines()
    assert [(line.api, line.app, line.status, line.rows) for line in lines] == [
        ("all", "app", 200, 2),
        ("all", "app", 200, 1),
        ("all", "app", 200, 2),
        ("by-id", "app", 200, 2),
        ("by-id", "app", 200, 2),
    ]
    assert running.lines() == []


def test_refusals_are_said_in_the_callers_language_and_logged(running: Running) -> None:
    client = running.client
    english = {"accept-language": "en-GB,zh;q=0.5"}
    refusals = {
        "/shop/by-id": (400, "api-parameter-missing"),
        "/shop/by-id?id=1%20OR%201=1": (400, "api-parameter-invalid"),
        "/shop/all?surprise=1": (400, "api-parameter-unknown"),
        "/shop/all?_size=3": (400, "page-invalid"),
        "/shop/absent": (404, "api-unknown"),
        "/shop/secret": (403, "api-not-granted"),
        "/shop/broken": (500, "query-failed"),
    }
    for path, expected in refusals.items():
        answer = client.get(path, headers=english)
        assert (answer.status_code, answer.json()["reason"]) == expected
    assert answer.json()["message"] == "The query could not be run; the API log says why"
    assert client.get("/shop/by-id").json()["message"] == "缺少参数 id"
    assert client.post("/shop/by-id", content=b"[1]").json()["reason"] == "body-invalid"
    assert client.post("/shop/by-id", content=b" " * (1 << 21)).status_code == 413
    assert client.get("/shop/all", headers={"authorization": "Bearer k:wrong"}).status_code == 401
    lines = running.lines()
    broken = next(line for line in lines if line.api == "broken")
    assert broken.error is not None
    assert "nothing" in broken.error.facts["detail"]
    assert (lines[-1].app, lines[-1].status) == ("", 401)


def test_a_signed_call_is_taken_once(running: Running) -> None:
    now, nonce = str(int(time.time())), secrets.token_hex(8)
    call = Call("GET", "/shop/by-id", "id=1", [], {}, b"", "")
    proof = f"ZCBUS key=k,time={now},nonce={nonce},signature={signature(HASH, call, now, nonce)}"
    headers = {"authorization": proof}
    assert running.client.get("/shop/by-id?id=1", headers=headers).status_code == 200
    assert running.client.get("/shop/by-id?id=1", headers=headers).status_code == 401


def test_quota_cache_and_a_changed_task(running: Running, connection: Connection) -> None:
    client = running.client
    assert client.get("/shop/kept?id=1").status_code == 200
    assert client.get("/shop/kept?id=1").json()["data"]["records"] == [{"name": "tea"}]
    assert client.get("/shop/kept?id=2").json()["data"]["records"] == [{"name": "茶"}]
    assert [line.cached for line in running.lines()] == [False, True, False]
    running.box.put(task_of(connection, per_minute=1))
    eventually(lambda: client.get("/shop/kept?id=1").status_code == 429)
    spent = client.get("/shop/kept?id=1")
    assert 1 <= int(spent.headers["retry-after"]) <= 60
    assert client.get("/-/healthz").text == "ok\n"
    assert 'zcbus_gateway_calls_total{status="429"}' in client.get("/-/metrics").text


def test_a_source_that_is_away_is_said(running: Running, connection: Connection) -> None:
    running.box.put(task_of(connection.model_copy(update={"options": {**connection.options, "port": 1}})))
    eventually(lambda: running.client.get("/shop/all").status_code == 503)
    assert running.client.get("/shop/all").json()["reason"] == "source-unavailable"
    running.box.put(task_of(connection))
    eventually(lambda: running.client.get("/shop/all").status_code == 200)


def test_over_tls(connection: Connection, tmp_path: Path) -> None:
    certificate, key = own_certificate(tmp_path)
    made = Running(task_of(connection), GatewaySettings(certificate=certificate, key=key))
    try:
        assert made.client.get("/shop/all").status_code == 200
        port = made.service.address[1] if made.service.address else 0
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/shop/all")
    finally:
        made.close()


def test_callers_behind_a_proxy(connection: Connection) -> None:
    """The app's addresses count for the caller, and the secret itself is not taken over an open line."""
    settings = GatewaySettings(proxies=parse_networks("127.0.0.1"))
    made = Running(task_of(connection, addresses=["203.0.113.0/24"]), settings)
    try:
        behind = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}
        assert made.client.get("/shop/all", headers=behind).status_code == 200
        assert made.client.get("/shop/all", headers={**behind, "x-forwarded-for": "192.0.2.1"}).status_code == 403
        assert made.client.get("/shop/all", headers={**behind, "x-forwarded-proto": "http"}).status_code == 401
        assert made.client.get("/-/metrics", headers=behind).status_code == 404
        assert made.lines()[0].address == "203.0.113.7"
    finally:
        made.close()


def test_an_address_that_the_host_does_not_allow(connection: Connection) -> None:
    task, stop = task_of(connection, 2222), threading.Event()
    service = DataService(TaskBox(task), stop, settings=GatewaySettings(ports=(8000, 8099)))
    thread = threading.Thread(target=service.run, daemon=True)
    thread.start()
    try:
        eventually(lambda: service.status.report().reason is not None)
        reason = service.status.report().reason
        assert reason is not None
        assert reason.code == "gateway-address-not-allowed"
    finally:
        stop.set()
        thread.join(DEADLINE_S)


def test_the_process_serves_reports_and_ends(postgres_server: Server, tmp_path: Path) -> None:
    """As an agent runs it: the task on standard input, reports on standard output; a port in use is waited for."""
    options = postgres_server.options(postgres_server.default_database)
    connection = connection_to(options)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "zcbus.cli", "gateway"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(ZCBUS_DATA_DIR=str(tmp_path), ZCBUS_BUS="embedded:"),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(task_of(connection, port).model_dump_json().encode() + b"\n")
        process.stdin.flush()
        reports = map(json.loads, process.stdout)
        waiting = next(report for report in reports if report.get("state") == "waiting")
        assert waiting["reason"]["code"] == "gateway-port-taken"
    next(report for report in reports if report.get("state") == "running")
    headers = {"authorization": f"Bearer k:{SECRET}"}
    answer = httpx.get(f"http://127.0.0.1:{port}/shop/secret", headers=headers, timeout=60)
    assert answer.status_code == 403
    called = next(report for report in reports if report["type"] == "api-calls")
    assert [(one["api"], one["status"]) for one in called["calls"]] == [("secret", 403)]
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
