"""Log of a MariaDB source that waits for a link: the server expires it by time; it is reported, nothing is dropped."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.engine.connections import registered
from zcbus.engine.requests.retained_log import watch_held_log
from zcbus.protocol.requests import WatchHeldLog

pytestmark = pytest.mark.server
PAIRS = [("mariadb_server", "postgres_server")]
_GROW = "INSERT INTO t SELECT seq, REPEAT('x', 10000) FROM seq_{}_to_{}"


def _waiting(link: Link) -> int:
    """Bytes, as an agent is asked for them, with a limit that they are beyond."""
    request = WatchHeldLog(source=link.publish_task().source, node=link.node, limit_bytes=1)
    answer = watch_held_log(request, registered, link.data_dir, link.bus)
    assert answer.let_go is None
    assert answer.size_bytes is not None
    return answer.size_bytes


def test_retained_log_is_reported_and_no_limit_ends_the_link(link: Link) -> None:
    on_source(link, "CREATE TABLE t (k int PRIMARY KEY, v text)")
    link.tables = {"t": {}}
    link.set_tasks()
    link.publisher.task = link.publisher.task.model_copy(update={"held_log_bytes": 1})
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, _GROW.format(1, 50))
    link.wait_until_equal()

    assert link.publisher.stop() == 0
    before = _waiting(link)
    on_source(link, _GROW.format(51, 300), "FLUSH BINARY LOGS", _GROW.format(301, 400))
    grown = _waiting(link) - before
    assert 3.5e6 < grown < 4.5e6

    link.publisher.start()
    link.wait_until_equal()
    wait_until(lambda: link.publisher.reports[""]["backlog_bytes"] in range(1_000_000), 30, link.describe)
