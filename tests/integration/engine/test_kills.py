"""Worker processes killed at random moments under a running writer: nothing lost, nothing doubled."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.links.workload import TABLES, Writer, create_tables, differences
from tests.integration.engine.running import Link, wait_until
from tests.servers.base import Server

pytestmark = [pytest.mark.server, pytest.mark.fault, pytest.mark.timeout(300)]
KINDS = ("postgres_server", "mariadb_server")
PAIRS = [(source, target) for source in KINDS for target in KINDS]
KILLS = 6


@pytest.fixture(params=PAIRS, ids=lambda pair: "-".join(name.removesuffix("_server") for name in pair))
def link(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Link]:
    source: Server = request.getfixturevalue(request.param[0])
    target: Server = request.getfixturevalue(request.param[1])
    tables = {name: {"clean": "drop"} for name in TABLES}
    link = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), tmp_path, tables)
    yield link
    link.close()


def test_workers_killed_during_load_and_changes(link: Link) -> None:
    create_tables(link.source, link.source_database, 20_000)
    writer = Writer(link.source, link.source_database, seed=7)
    writer.start()
    chance = random.Random(11)
    link.start()
    for _ in range(KILLS):
        for worker in chance.sample((link.publisher, link.subscriber), 2):
            time.sleep(chance.uniform(0.3, 2.0))  # the random moment is the point here
            worker.kill()
            worker.start()
    for table in TABLES:
        link.wait_for_state(table, "incremental-running")
    writer.stop()
    source, target = (link.source, link.source_database), (link.target, link.target_database)
    wait_until(
        lambda: not differences(source, target),
        60,
        lambda: "\n".join([*differences(source, target), link.describe()]),
    )
    assert link.subscriber.stop() == 0
    assert link.publisher.stop() == 0
