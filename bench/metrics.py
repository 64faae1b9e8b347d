"""What the memory of metrics costs a control plane with 100 services and 6,000 tables, and how soon charts are there.

Fifty links are made by the product's calls, and an agent reports for all of them over HTTP. Then seventy minutes
pass by a clock of its own: before each sample all counters of the store grow, as reports make them grow, and what the
control plane does every ten seconds is done: the sample, blocks of hours that are over, 200 rules of tenants. Of that
the processor time of its thread counts, so that other programs don't. Charts are asked for over HTTP.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, text
from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import Database, FakeAgent, fake_agent
from tests.support.control_plane import ControlPlane, control_plane

from bench.report import Result
from bench.timing import seconds
from zcbus.control.features.alert_rule.evaluation import evaluate
from zcbus.control.features.metric.sampling import sample
from zcbus.control.store.columns import UtcTimestamp
from zcbus.control.store.metrics.tiers import SLOT
from zcbus.kit.logging import configure_logging
from zcbus.model.states import PublishState, SyncState
from zcbus.protocol.agent import HostFigures, ServiceReports
from zcbus.protocol.reports import Beat, PublishTableReport, ServiceReport
from zcbus.protocol.tasks import PublishTask

_LINKS, _TABLES_EACH, _RULES = 50, 120, 200
_TURNS = int(os.environ.get("BENCH_METRIC_TURNS", str(70 * 60 // SLOT)))
_GOAL_MS_A_SECOND, _GOAL_MS = 50.0, 200.0
_QUERIES = 15
_GIB = 2**30
_DAY = 86_400
_SIZE = f"{2 * _LINKS} services, {_LINKS * _TABLES_EACH:,} tables"

_GROWING = (
    "UPDATE subscribed_table SET inserts = inserts + abs(random()) % 900, updates = updates + abs(random()) % 300, "
    "deletes = deletes + abs(random()) % 20, lag_ms = abs(random()) % 4000, changes_handled = changes_handled + 99, "
    "reported_at = :now",
    "UPDATE published_table SET inserts = inserts + abs(random()) % 900, updates = updates + abs(random()) % 300, "
    "deletes = deletes + abs(random()) % 20, changes = changes + 99, delay_ms = abs(random()) % 90, "
    "last_change_at = :now, reported_at = :now",
    "UPDATE service SET came_ms = abs(random()) % 90, went_ms = abs(random()) % 90, "
    "backlog_bytes = abs(random()) % 900000, memory_bytes = 90000000 + abs(random()) % 900000",
    "UPDATE agent SET heartbeat_at = :now, cpu_percent = abs(random()) % 100",
)
"""What reports change in the store (SQLite) within ten seconds."""


def run() -> Iterator[Result]:
    """Samples with blocks, rules, and queries."""
    configure_logging("WARNING")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="zcbus-bench-metrics-"))
        plane = stack.enter_context(control_plane(Path(folder)))
        tables = [(f"s{link:02}", f"t{number:03}") for link in range(_LINKS) for number in range(_TABLES_EACH)]
        agent = stack.enter_context(fake_agent(plane, Database(tables)))
        admin = Caller(plane, plane.sign_in())
        _make_links(admin, agent)
        _make_rules(admin)
        yield from _seventy_minutes(plane)
        yield from _charts(admin)


def _make_links(admin: Caller, agent: FakeAgent) -> None:
    for link in range(_LINKS):
        # Sources of their own, so that each link has two services.
        source = {**document()["source"], "host": f"db{link}.example"}
        target = {**document()["target"], "host": f"copy{link}.example"}
        made = document(link=f"l{link:02}", source=source, target=target, tables=[f"s{link:02}.*"])
        admin.call("sync/link/apply", {"document": made})
    agent.rest()
    agent.run_services()
    _report(agent)


def _report(agent: FakeAgent) -> None:
    """First figures of everything."""
    figures = HostFigures(cpu_percent=5, memory_used=_GIB, memory_total=4 * _GIB, disk_used=_GIB, disk_total=9 * _GIB)
    agent.sync(figures=figures)
    assert agent.orders is not None
    now = agent.plane.clock.now()
    beat = Beat(at=now, took_ms=4)
    service = ServiceReport(state="running", progress=3, at=now, backlog_bytes=9, memory_bytes=9, came=beat, went=beat)
    for order in agent.orders.orders:
        tables = order.task.tables if isinstance(order.task, PublishTask) else ()
        published = (_published(table.id, table.generation, now) for table in tables)
        agent.sync(reports=(ServiceReports(service=order.service, reports=(service, *published)),))
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, inserts=3, lag_ms=70)


def _published(table: str, generation: int, now: Any) -> PublishTableReport:
    state = PublishState.INCREMENTAL_RELEASE
    return PublishTableReport(table=table, state=state, generation=generation, epoch=1, changes=3, inserts=3, at=now)


def _make_rules(admin: Caller) -> None:
    """Each looks at all tables; a tenth of them is about to fire for some tables."""
    for number in range(_RULES):
        rule = {"kind": "table", "metric": "lag_ms", "comparison": "gt", "seconds": 60, "name": f"r{number}"}
        threshold = 3_900 if number % 10 == 0 else 60_000
        admin.call("system/alert-rule/add", {**rule, "threshold": threshold, "pattern": "s*.t*"[number % 2 * 5 :]})


def _seventy_minutes(plane: ControlPlane) -> Iterator[Result]:
    sampled, evaluated = [], []
    for _ in range(_TURNS):
        plane.clock.advance(timedelta(seconds=SLOT))
        _grow(plane)
        sampled.append(_processor(lambda: sample(plane.services)))
        evaluated.append(_processor(lambda: evaluate(plane.services)))
    limit = f"at most {_GOAL_MS_A_SECOND:g} ms/s, 5 % of a core"
    rules = f"{_RULES} rules over the tables"
    for case, taken in ((f"{_SIZE}: samples and blocks", sampled), (f"{_SIZE}: {rules}", evaluated)):
        each_second = 1000 * sum(taken) / (_TURNS * SLOT)
        yield Result("metrics", case, each_second, "ms/s of processor", limit, each_second / _GOAL_MS_A_SECOND)
    yield Result("metrics", "one sample, median", 1000 * statistics.median(sampled), "ms processor", None, None)
    yield Result(
        "metrics", f"{_RULES} rules once, median", 1000 * statistics.median(evaluated), "ms processor", None, None
    )
    size = plane.services.metric_store.size_bytes() / 2**20
    yield Result("metrics", "on the disk after seventy minutes", size, "MiB", None, None)


def _grow(plane: ControlPlane) -> None:
    given = (bindparam("now", plane.clock.now(), UtcTimestamp),)
    with plane.services.database.write() as connection:
        for statement in _GROWING:
            connection.execute(text(statement).bindparams(*given) if ":now" in statement else text(statement))


def _processor(work: Callable[[], object]) -> float:
    """Processor seconds of this thread."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _charts(admin: Caller) -> Iterator[Result]:
    link = admin.call("sync/link/get", {"name": "l00"})["id"]
    (table, *_) = admin.call("subscribe/table/page", {"size": 1})["records"]
    (container,) = admin.call("container/list", {})
    for kind, subject in (("link", link), ("table", table["id"]), ("container", container["id"])):
        for name, last in (("15 minutes", 900), ("a day", _DAY), ("30 days", 30 * _DAY)):
            yield _query(
                admin, f"charts of a {kind}, {name}", "metrics/series", {"kind": kind, "id": subject, "last": last}
            )
    yield _query(admin, "home, last hour and 14 days", "home/history", {"linkIds": [link], "utcOffset": 0})


def _query(admin: Caller, case: str, path: str, body: dict[str, Any]) -> Result:
    admin.call(path, body)
    taken = 1000 * statistics.median(seconds(lambda: admin.call(path, body)) for _ in range(_QUERIES))
    return Result("metrics", case, taken, "ms", f"at most {_GOAL_MS:g} ms", taken / _GOAL_MS)
