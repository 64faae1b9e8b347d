"""Log that a source keeps for a link, and the link's own limit on it."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.servers.postgresql import PostgreSQLServer

from zcbus.engine.connections import registered
from zcbus.engine.requests.retained_log import watch_held_log
from zcbus.protocol.requests import WatchHeldLog

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server")]
LIMIT = 8 << 20
GROW = "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000)) FROM generate_series(1, 12)"


def slots(link: Link) -> int:
    query = "SELECT count(*) FROM pg_replication_slots WHERE database = %s"
    return int(link.source.rows(query, link.source_database, (link.source_database,))[0][0])


def expect_slot_dropped(link: Link) -> None:
    assert link.publisher.wait_for_end(60.0) == 3
    for reported in (link.publisher.reports[""], link.publisher.reports["p-t"]):
        assert reported["reason"]["code"] == "log-let-go"
        assert {"held", "limit", "since"} <= reported["reason"]["facts"].keys()
    assert slots(link) == 0


def limited(link: Link) -> None:
    """Both tasks as they are now, the source's log within the limit."""
    link.set_tasks()
    link.publisher.task = link.publisher.task.model_copy(update={"held_log_bytes": LIMIT})


def load_again(link: Link) -> None:
    link.generations["t"] = link.generations.get("t", 0) + 1
    limited(link)
    link.publisher.start()
    link.subscriber.give(link.subscriber.task)
    wait_until(lambda: link.subscriber.reports.get("t", {}).get("generation") == link.generations["t"], 60)
    link.wait_for_state("t", "incremental-running")


@pytest.mark.wide
def test_a_source_may_drop_log_beyond_the_limit(link: Link) -> None:
    on_source(link, "CREATE TABLE t (k int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 100)")
    link.tables = {"t": {"clean": "truncate"}}
    limited(link)
    link.subscriber.start()
    load_again(link)

    # While the link stands still an agent is asked to look.
    assert link.publisher.stop() == 0
    request = WatchHeldLog(source=link.publish_task().source, node=link.node, limit_bytes=1 << 40)
    assert watch_held_log(request, registered, link.data_dir, link.bus).let_go is None
    on_source(link, GROW, "DELETE FROM t WHERE k <= 50")
    answer = watch_held_log(request.model_copy(update={"limit_bytes": LIMIT}), registered, link.data_dir, link.bus)
    assert (answer.size_bytes, answer.let_go.code if answer.let_go else "") == (None, "log-let-go")
    assert slots(link) == 0
    link.publisher.start()
    expect_slot_dropped(link)
    load_again(link)
    link.wait_until_equal()

    # While it runs its worker looks: an open transaction keeps the server from forgetting what was read.
    assert isinstance(link.source, PostgreSQLServer)
    with link.source.connect(link.source_database) as session, session.transaction():
        session.execute("CREATE TABLE held_open (k int)")
        on_source(link, GROW, "DELETE FROM t WHERE k <= 75")
        expect_slot_dropped(link)
    load_again(link)
    link.wait_until_equal()


def test_the_source_of_an_idle_link_may_forget_its_log(link: Link) -> None:
    on_source(link, "CREATE TABLE t (k int PRIMARY KEY)")
    link.tables = {"t": {}}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, GROW)
    ((end,),) = link.source.rows("SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn", link.source_database)
    wait_until(lambda: confirmed(link) >= end, 30, link.describe)


def confirmed(link: Link) -> int:
    """How far the source knows that it is not asked again."""
    query = "SELECT confirmed_flush_lsn - '0/0'::pg_lsn FROM pg_replication_slots WHERE database = %s"
    return int(link.source.rows(query, link.source_database, (link.source_database,))[0][0])
