"""Tables that go from channel to channel between real databases, while changes keep coming."""

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.integration.engine.running import Link, Worker, on_source, on_target, wait_until

from zcbus.protocol.tasks import SubscribeTask

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server"), ("mariadb_server", "mariadb_server")]
FIRST, SECOND = "subscription1", "subscription2"


def task_of(link: Link, channel: str, moved: set[str]) -> SubscribeTask:
    """The task of a channel once these tables were given to the second."""
    whole = link.subscribe_task()
    return whole.model_copy(
        update={
            "subscription": channel,
            "service": f"of-{channel}",
            "tables": tuple(
                table.model_copy(update={"moves": 1, "came_from": (FIRST,)} if table.id in moved else {})
                for table in whole.tables
                if (table.id in moved) == (channel == SECOND)
            ),
        }
    )


@contextmanager
def constant_change(link: Link) -> Iterator[None]:
    stop = threading.Event()

    def change() -> None:
        for number in itertools.count(100):
            if stop.wait(0.01):
                return
            for table in link.tables:
                on_source(link, f"INSERT INTO {table} VALUES ({number}, 0)")
                on_source(link, f"UPDATE {table} SET number = number + 1 WHERE id % 3 = 0")

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(60)


@pytest.mark.wide
@pytest.mark.soak(but=["postgres-postgres"])
def test_tables_move_under_change_from_a_running_channel_and_from_a_dead_one(link: Link) -> None:
    for table in ("orders", "items"):
        on_source(link, f"CREATE TABLE {table} (id integer PRIMARY KEY, number integer)")
        on_source(link, f"INSERT INTO {table} VALUES (1, 1), (2, 2), (3, 3)")
        link.tables[table] = {}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    on_target(link, "ALTER TABLE orders ADD CHECK (number >= 0)")
    on_source(link, "INSERT INTO orders VALUES (7, -7)")
    wait_until(lambda: link.subscriber.reports["orders"]["row_errors"] == 1, 60, link.describe)
    second = Worker(link.data_dir, task_of(link, SECOND, set()), link.bus).start()
    try:
        with constant_change(link):
            second.give(task_of(link, SECOND, {"orders"}))
            link.subscriber.give(task_of(link, FIRST, {"orders"}))
            wait_until(
                lambda: second.reports.get("orders", {}).get("state") == "incremental-running", 60, link.describe
            )
            assert second.reports["orders"]["row_errors"] == 1, "what was refused moves along"
            link.subscriber.kill()
            second.give(task_of(link, SECOND, {"orders", "items"}))
            wait_until(lambda: second.reports.get("items", {}).get("state") == "incremental-running", 60, link.describe)
            # It starts again with the task that it had, and leaves alone what is not its own any more.
            link.subscriber.start()
        on_source(link, "UPDATE orders SET number = 7 WHERE id = 7")
        link.wait_until_equal()
        wait_until(lambda: second.reports["orders"]["row_errors"] == 0, 60, link.describe)
        assert second.reports["items"]["rows_loaded"] == 3, "nothing was loaded again"
    finally:
        second.close()
