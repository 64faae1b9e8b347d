"""An agent that speaks the real protocol over HTTP and answers as a test says. It has no databases and no processes."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.support.control_plane import ControlPlane
from tests.support.processes import wait_until
from zcbus.control.features.container.repository import find_container_by_name
from zcbus.control.platform.host_tokens import Host as HostIdentity
from zcbus.control.platform.host_tokens import create_account, issue_token
from zcbus.control.store.change_events import ChangeEvents
from zcbus.model.states import ServiceState, SyncState
from zcbus.protocol.agent import Order, Orders, PutRequest, Registration, ServiceReports, SyncRequest, SyncResponse
from zcbus.protocol.answers import (
    Answer,
    Check,
    ConnectionTest,
    Done,
    Finding,
    Findings,
    Resolved,
    ResolvedTable,
    RetainedLog,
    Schemas,
    TableLine,
    Tables,
)
from zcbus.protocol.base import Message, Reason, TableRef
from zcbus.protocol.changes import completed
from zcbus.protocol.log_search import FoundLogLines
from zcbus.protocol.reports import Attempt, PublishTableReport, ServiceReport, ServiceStatus, SyncTableReport
from zcbus.protocol.tasks import PublishTask, SubscribeTask

_SYNC_EVERY = 0.25
"""Seconds without notifications."""

Handler = Callable[[Any], Message]


class Refused(Exception):
    """Raised by a handler: the answer is this reason."""

    def __init__(self, code: str, **facts: str) -> None:
        self.reason = Reason(code=code, facts=facts)
        super().__init__(code)


@dataclass
class Database:
    """Tables that the agent pretends to find in the source."""

    tables: Sequence[tuple[str, str]] = (("public", "orders"), ("public", "lines"), ("public", "audit_log"))
    findings: tuple[Finding, ...] = ()
    left_out: tuple[Finding, ...] = ()
    """By patterns."""

    def handlers(self) -> dict[str, Handler]:
        return {
            "test-connection": self.test,
            "list-schemas": lambda _: Schemas(schemas=tuple(dict.fromkeys(schema for schema, _ in self.tables))),
            "list-tables": self.list_tables,
            "resolve-tables": self.resolve,
            "precheck": lambda _: Findings(findings=self.findings),
            "held-log": lambda _: RetainedLog(size_bytes=None),
            "drop-source": lambda _: Done(),
            "drop-target": lambda _: Done(),
            "find-log-lines": lambda _: FoundLogLines(entries=(), more=False),
        }

    def test(self, request: Any) -> Message:
        right = request.connection.secrets["password"].get_secret_value() == "right"
        reachable = Check(item="reachable", statement="TCP connect", ok=True, blocking=True, detail="1 ms")
        login = Check(
            item="login",
            statement="SELECT current_user",
            ok=right,
            blocking=True,
            detail="ok" if right else "password authentication failed",
            remedy="" if right else "ALTER ROLE …",
            advice="" if right else "account",
        )
        return ConnectionTest(ok=right, checks=(reachable, login))

    def list_tables(self, _request: Any) -> Message:
        return Tables(
            tables=tuple(
                TableLine(
                    schema_name=schema,
                    table=table,
                    estimated_rows=number,
                    size_bytes=None,
                    has_primary_key=number % 2 == 0,
                    has_unique_key=False,
                    refused="foreign-engine" if table == "audit_log" else "",
                )
                for number, (schema, table) in enumerate(self.tables)
            )
        )

    def resolve(self, request: Any) -> Message:
        """Understands `schema.*`, exact names and exclusions, which is what the tests use."""
        chosen: dict[tuple[str, str], None] = {}
        for pattern in request.patterns:
            for schema, table in self.tables:
                if pattern.removeprefix("!") in (f"{schema}.*", f"{schema}.{table}"):
                    if pattern.startswith("!"):
                        chosen.pop((schema, table), None)
                    else:
                        chosen[schema, table] = None
        return Resolved(
            tables=tuple(
                ResolvedTable(
                    source=TableRef(schema_name=schema, table=table),
                    target=TableRef(schema_name=str(request.target.options["database"]), table=table),
                )
                for schema, table in chosen
            ),
            left_out=self.left_out,
        )


@dataclass
class FakeAgent:
    """Syncs in a thread; the test's reports go with the next sync."""

    plane: ControlPlane
    token: str
    database: Database = field(default_factory=Database)
    name: str = "fake-agent"
    bus: str | None = None
    version: str = "0"

    def __post_init__(self) -> None:
        self.handlers = self.database.handlers()
        self.asked: list[PutRequest] = []
        self.orders: Orders | None = None
        self.deaf = False
        self.slow: set[str] = set()
        """Questions of these types are answered only after `finish`."""
        self._unfinished: list[Answer] = []
        self._http = httpx.Client(
            base_url=self.plane.address, headers={"ZCBUS-TOKEN": self.token}, timeout=60, verify=False
        )
        self._answers: list[Answer] = []
        self._stopping = threading.Event()
        self._lock = threading.RLock()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def register(self, **fields: Any) -> httpx.Response:
        registration = Registration(
            agent=self.name,
            host="here",
            pid=1,
            version=self.version,
            container="default",
            bus=self.bus,
            machine_code="code-1",
            serial_number="serial-1",
            **fields,
        )
        return self._post("register", registration)

    def sync(self, **fields: Any) -> SyncResponse:
        """One exchange now."""
        with self._lock:
            answers, self._answers = self._answers, []
            request = SyncRequest(
                agent=self.name,
                orders_version=self.orders.version if self.orders else "",
                orders_edition=self.orders.edition if self.orders else "",
                answers=tuple(answers),
                at=self.plane.clock.now(),
                **fields,
            )
            response = self._post("sync", request)
            assert response.status_code == 200, response.text
            answer = SyncResponse.model_validate(response.json()["data"])
            if answer.orders is not None:
                self.orders = completed(self.orders, answer.orders)
            for put in answer.requests:
                self.asked.append(put)
                answers = self._unfinished if put.request.type in self.slow else self._answers
                answers.append(self.answer(put))
            return answer

    def await_question(self, kind: str) -> str:
        """Sync until a question of that type has come; returns its id."""

        def has_come() -> bool:
            self.sync()
            return any(put.request.type == kind for put in self.asked)

        wait_until(has_come, 20, f"the agent is asked for {kind}", pause=0.02)
        return next(put.id for put in reversed(self.asked) if put.request.type == kind)

    def finish(self) -> None:
        """Give the answers that took long."""
        with self._lock:
            self._answers += self._unfinished
            self._unfinished = []
            self.sync()

    def order(self, kind: type[PublishTask] | type[SubscribeTask]) -> Order:
        """The newest order of the only service of that kind."""
        self.sync()
        assert self.orders is not None
        return next(order for order in self.orders.orders if isinstance(order.task, kind))

    def run_services(self, state: ServiceState = ServiceState.STARTED, reason: Reason | None = None) -> None:
        """Report this state of every service, or stopped where it is to be stopped."""
        self.sync()
        assert self.orders is not None
        now = self.plane.clock.now()
        self.sync(
            statuses=tuple(
                ServiceStatus(
                    service=order.service,
                    state=state if order.desired == "running" else ServiceState.STOPPED,
                    pid=7,
                    started_at=now,
                    reason=reason,
                    at=now,
                )
                for order in self.orders.orders
            ),
            reports=tuple(
                ServiceReports(service=order.service, reports=(ServiceReport(state="running", progress=3, at=now),))
                for order in self.orders.orders
                if order.desired == "running"
            ),
        )

    def report_tables(self, state: SyncState, tables: Sequence[str] | None = None, **values: Any) -> None:
        """Report this state of subscribed tables (by source name; None: all)."""
        self.sync()
        assert self.orders is not None
        now = self.plane.clock.now()
        reports = {
            order.service: tuple(
                SyncTableReport(
                    **{
                        "table": table.id,
                        "state": state,
                        "generation": table.generation,
                        "moves": table.moves,
                        "at": now,
                        **values,
                    }
                )
                for table in order.task.tables
                if tables is None or f"{table.source.schema_name}.{table.source.table}" in tables
            )
            for order in self.orders.orders
            if isinstance(order.task, SubscribeTask)
        }
        assert any(reports.values())
        self.sync(reports=tuple(ServiceReports(service=name, reports=fields) for name, fields in reports.items()))

    def report_published(self, report: Callable[[str, int], PublishTableReport]) -> None:
        """Report `report(table id, generation)` for every published table."""
        order = self.order(PublishTask)
        assert isinstance(order.task, PublishTask)
        reports = tuple(report(table.id, table.generation) for table in order.task.tables)
        self.sync(reports=(ServiceReports(service=order.service, reports=reports),))

    def attempt(self, kind: type[PublishTask] | type[SubscribeTask], result: str) -> None:
        now = self.plane.clock.now()
        order = self.order(kind)
        self.sync(attempts=(Attempt(service=order.service, started_at=now, ended_at=now, result=result),))

    def start(self) -> None:
        assert self.register().status_code == 200
        self._thread.start()

    def rest(self) -> None:
        """From now on sync only when the test says so."""
        self.deaf = True
        with self._lock:
            pass

    def stop(self) -> None:
        self._stopping.set()
        self._events.publish([self._container])
        if self._thread.ident is not None:
            self._thread.join()
        self._http.close()

    @property
    def _events(self) -> ChangeEvents:
        return self.plane.services.database.change_events

    @property
    def _container(self) -> str:
        """Its id, which versions of its orders begin with."""
        return self.orders.version.partition(".")[0] if self.orders else ""

    def _run(self) -> None:
        while not self._stopping.is_set():
            heeded = self._container
            with self._events.listen(heeded) as events:
                self._sync_all()
                if heeded == self._container and not self._stopping.is_set():
                    events.wait(_SYNC_EVERY)

    def _sync_all(self) -> None:
        with self._lock:
            if self.deaf:
                return
            self.sync()
            if self._answers:
                self.sync()

    def answer(self, put: PutRequest) -> Answer:
        try:
            result = self.handlers[put.request.type](put.request)
        except Refused as refused:
            return Answer(request=put.id, error=refused.reason)
        return Answer(request=put.id, result=result.model_dump(mode="json"))

    def _post(self, verb: str, message: Message) -> httpx.Response:
        return self._http.post(f"/api/zcbus/agent/{verb}", content=message.model_dump_json(), headers=_JSON)


def host_token(plane: ControlPlane, name: str, host: str = "here", container: str = "default") -> str:
    """The token of a host that joined a container."""
    with plane.services.database.write() as connection:
        row = find_container_by_name(connection, container)
        assert row is not None
        now = plane.clock.now()
        account = create_account(connection, row.id, HostIdentity(name, host, ""), now)
        return issue_token(connection, account, now)


_JSON: Mapping[str, str] = {"content-type": "application/json"}


@contextmanager
def fake_agent(plane: ControlPlane, database: Database | None = None, bus: str | None = None) -> Iterator[FakeAgent]:
    """A running agent with the default container's token."""
    token = (plane.data_dir / "agent-token").read_text("utf-8").strip()
    agent = FakeAgent(plane, token, database or Database(), bus=bus)
    agent.start()
    try:
        yield agent
    finally:
        agent.stop()
