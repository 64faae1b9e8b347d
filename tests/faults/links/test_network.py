"""A network that resets, cuts, silences and delays connections between the workers and their databases."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from tests.faults.links.workload import TABLES, Writer, create_tables, differences
from tests.integration.engine.running import Link, wait_until
from tests.servers.base import Server
from tests.support.proxy import Proxy

pytestmark = [pytest.mark.server, pytest.mark.fault, pytest.mark.timeout(900)]
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
ROUNDS = int(os.environ.get("SOAK_NETWORK_ROUNDS", "6"))
MANY_ROUNDS = 50
"""So many that memory which is not given back would show."""
MAX_GROWTH = 64 << 20
LONG_OUTAGE_SECONDS = float(os.environ.get("SOAK_SILENCE_SECONDS", "0"))
"""Seconds without any traffic; 0: not tested."""


@pytest.fixture(params=PAIRS, ids=lambda pair: "-".join(name.removesuffix("_server") for name in pair))
def link(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Link]:
    source: Server = request.getfixturevalue(request.param[0])
    target: Server = request.getfixturevalue(request.param[1])
    tables = {name: {"clean": "drop"} for name in TABLES}
    made = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), tmp_path, tables)
    yield made
    made.close()


@pytest.fixture
def proxies(link: Link) -> Iterator[tuple[Proxy, Proxy]]:
    """Between the workers and their source, and their target."""
    made = Proxy(link.source.port), Proxy(link.target.port)
    link.source_port, link.target_port = (proxy.port for proxy in made)
    link.set_tasks()
    yield made
    for proxy in made:
        proxy.close()


def applied(link: Link) -> int:
    reports = [link.subscriber.reports.get(table, {}) for table in TABLES]
    return sum(report.get(name, 0) for report in reports for name in ("inserts", "updates", "deletes"))


def expect_flow(link: Link) -> None:
    """More than what was on its way already arrives."""
    for _ in range(2):
        before = applied(link)
        wait_until(lambda before=before: applied(link) > before, 60, link.describe)


def keep_silent(proxies: tuple[Proxy, Proxy], seconds: float) -> None:
    """New connections get no answer either."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for proxy in proxies:
            proxy.lose_all()
        time.sleep(0.2)


def expect_flat_memory(link: Link) -> None:
    """The workers, whose connections were cut again and again, need no more than in the beginning."""
    for worker in (link.publisher, link.subscriber):
        sizes = [report["memory_bytes"] for report in worker.history if report["type"] == "service"]
        third = len(sizes) // 3
        early, late = median(sizes[third // 2 : third]), median(sizes[-third // 2 :])
        print(f"{worker.task.type}: {early / 1e6:.0f} MB in the beginning, {late / 1e6:.0f} MB at the end")
        assert late - early < MAX_GROWTH


@pytest.mark.soak(but=["mariadb-postgres"])
def test_both_sides_are_equal_after_every_kind_of_fault(link: Link, proxies: tuple[Proxy, Proxy]) -> None:
    chance = random.Random(11)
    create_tables(link.source, link.source_database, 2_000)
    link.start()
    for proxy in proxies:  # while tables load
        wait_until(lambda proxy=proxy: proxy.reset_all() > 0, 30, link.describe)
    for table in TABLES:
        link.wait_for_state(table, "incremental-running")
    writer = Writer(link.source, link.source_database, seed=5)
    writer.start()
    expect_flow(link)
    for _ in range(ROUNDS):
        proxy = chance.choice(proxies)
        fault = chance.choice((proxy.reset_all, lambda proxy=proxy: proxy.cut_all(chance)))
        # Between two sessions there may be no connection for a moment.
        wait_until(lambda fault=fault: fault() > 0, 30, link.describe)
        expect_flow(link)
    if ROUNDS >= MANY_ROUNDS:
        expect_flat_memory(link)
    for proxy in proxies:  # silence that is noticed by the workers themselves: there is no agent here
        assert proxy.lose_all() > 0
    expect_flow(link)
    if LONG_OUTAGE_SECONDS:
        keep_silent(proxies, LONG_OUTAGE_SECONDS)
        expect_flow(link)
    for proxy in proxies:
        proxy.delay = 0.02
    expect_flow(link)
    for proxy in proxies:
        proxy.delay = 0.0
    expect_flow(link)
    writer.stop()
    source, target = (link.source, link.source_database), (link.target, link.target_database)
    wait_until(lambda: not differences(source, target), 60, link.describe)
    assert link.subscriber.stop() == 0
    assert link.publisher.stop() == 0
