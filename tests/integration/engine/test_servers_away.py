"""Databases that go away and come back while a link runs."""

import pytest
from tests.faults.links.workload import TABLES, Writer, create_tables, differences
from tests.integration.engine.running import Link, wait_until

from zcbus.connectors.registry import connector
from zcbus.connectors.roles.source import drop
from zcbus.engine.connections import options_of

pytestmark = [pytest.mark.server, pytest.mark.fault]
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


def run(link: Link) -> Writer:
    create_tables(link.source, link.source_database, 2_000)
    link.tables = {name: {"clean": "drop"} for name in TABLES}
    link.set_tasks()
    link.start()
    for table in TABLES:
        link.wait_for_state(table, "incremental-running")
    writer = Writer(link.source, link.source_database, seed=3)
    writer.start()
    return writer


def expect_equal(link: Link) -> None:
    source, target = (link.source, link.source_database), (link.target, link.target_database)
    wait_until(lambda: not differences(source, target), 60, link.describe)


def applied(link: Link) -> int:
    reports = [link.subscriber.reports[table] for table in TABLES]
    return sum(report["inserts"] + report["updates"] + report["deletes"] for report in reports)


def expect_flow(link: Link) -> None:
    before = applied(link)
    wait_until(lambda: applied(link) > before, 60, link.describe)


def service_was(link: Link, state: str) -> bool:
    workers = (link.publisher, link.subscriber)
    return any(r["type"] == "service" and r["state"] == state for worker in workers for r in worker.history)


@pytest.mark.wide
@pytest.mark.soak(but=["postgres-mariadb"])
def test_each_side_restarts_and_is_killed(link: Link) -> None:
    writer = run(link)
    for server in (link.source, link.target):
        expect_flow(link)
        server.restart()
        expect_flow(link)
        server.kill()
        server.start()
        expect_flow(link)
    writer.stop()
    expect_equal(link)
    assert service_was(link, "waiting")
    assert link.subscriber.stop() == 0
    assert link.publisher.stop() == 0


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres"])
def test_a_lost_position_is_reported_and_skipped_only_if_the_gap_is_accepted(link: Link) -> None:
    writer = run(link)
    expect_flow(link)
    assert link.publisher.stop() == 0
    writer.stop()
    lose_log(link)
    link.publisher.start()
    assert link.publisher.wait_for_end() == 3
    report = link.publisher.reports[""]
    assert (report["state"], report["reason"]["code"]) == ("failed", "log-position-lost")
    assert {"wanted", "since", "detail"} <= set(report["reason"]["facts"])
    for table in TABLES:
        reported = link.publisher.reports[f"p-{table}"]
        assert (reported["state"], reported["reason"]["code"]) == ("publish-failed", "log-position-lost")
    assert slots(link) == 0
    create_gap(link)
    link.generations, link.gaps = {"fault_rows": 2}, {"fault_rows": 1}
    link.set_tasks()
    link.publisher.start()
    link.subscriber.give(link.subscriber.task)
    wait_until(lambda: link.subscriber.reports["fault_rows"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("fault_rows", "incremental-running")
    assert link.wait_for_state("fault_lines", "full-info-expired")["reason"]
    wait_until(lambda: publish_state(link, "fault_lines") == "publish-failed", 30, link.describe)
    expect_changes_behind_the_gap(link)
    link.generations, link.gaps = dict.fromkeys(TABLES, 3), {}
    link.retask()
    for table in TABLES:
        link.wait_for_state(table, "incremental-running")
    create_gap(link)
    expect_equal(link)


def expect_changes_behind_the_gap(link: Link) -> None:
    """What was deleted in the gap stays in the target, what is deleted now goes."""
    # Some of these went already in the gap, by the writer.
    going = {row[0] for row in link.source.rows("SELECT id FROM fault_rows WHERE id % 7 = 0", link.source_database)}
    link.source.execute("DELETE FROM fault_rows WHERE id % 7 = 0", link.source_database)

    def left() -> set[int]:
        return {row[0] for row in link.target.rows("SELECT id FROM fault_rows", link.target_database)}

    wait_until(lambda: not left() & going, 30, link.describe)
    assert any(number % 5 == 0 for number in left())


def publish_state(link: Link, table: str) -> str:
    return str(link.publisher.reports[f"p-{table}"]["state"])


def create_gap(link: Link) -> None:
    link.source.execute("DELETE FROM fault_rows WHERE id % 5 = 0", link.source_database)


def slots(link: Link) -> int:
    if link.source.kind != "postgresql":
        return 0
    query = "SELECT count(*) FROM pg_replication_slots WHERE database = %s"
    return int(link.source.rows(query, link.source_database, (link.source_database,))[0][0])


def lose_log(link: Link) -> None:
    """What the publisher needs is removed at the source."""
    if link.source.kind == "postgresql":
        drop(connector("postgresql").source(options_of(link.publish_task().source)), link.node)
        return
    link.source.execute("RESET MASTER", link.source_database)
