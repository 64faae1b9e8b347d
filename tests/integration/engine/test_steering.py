"""Starting a table again at a chosen point: by a load into a shadow table, by time, by record."""

import threading
import time
from datetime import UTC, datetime

import pytest
from tests.integration.engine.running import Link, on_source, on_target, schema_of, wait_until

from zcbus.engine.requests import answer
from zcbus.engine.subscribe.checkpoints.positions import PositionTooEarly, PositionTooLate
from zcbus.kit.bus_settings import BusSettings
from zcbus.model.states import LoadMode
from zcbus.protocol.answers import StartPosition
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import ResolveStart
from zcbus.protocol.tasks import Begin

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server"), ("mariadb_server", "mariadb_server")]
ROWS = 5_000


def begin(link: Link, count: int = 20, **fields: object) -> None:
    on_source(link, "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(100), number integer UNIQUE)")
    for start in range(0, count, 5000):
        rows = ", ".join(f"({n}, 'name {n}', {n})" for n in range(start, min(start + 5000, count)))
        on_source(link, f"INSERT INTO orders VALUES {rows}")
    link.tables["orders"] = fields
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")


def again(link: Link, begin: Begin | None, publish: bool) -> None:
    """What the control plane does: a higher generation, of the snapshot too where one is wanted."""
    number = link.subscriber.reports["orders"]["generation"] + 1
    link.tables["orders"] |= {"begin": begin, "generation": number}
    if publish:
        link.generations["orders"] = number
    link.retask()
    wait_until(lambda: link.subscriber.reports["orders"]["generation"] == number, 30, link.describe)
    link.wait_for_state("orders", "incremental-running")


def resolve(link: Link, at_ms: int | None = None, offset: int | None = None) -> StartPosition:
    table = TableRef(schema_name=schema_of(link.source, link.source_database), table="orders")
    request = ResolveStart(node=link.node, tables=(table,), at_ms=at_ms, offset=offset)
    place = answer(request, link.data_dir, BusSettings())
    assert isinstance(place, StartPosition)
    return place


class Readers:
    """Counts the target's rows all the time, as a reader of the target sees them."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stop = threading.Event()
        self.least = 1 << 60
        self.polls = 0
        self._thread = threading.Thread(target=self._poll, daemon=True)

    def __enter__(self) -> "Readers":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(30)

    def _poll(self) -> None:
        while not self._stop.is_set():
            ((count,),) = self._link.target.rows("SELECT count(*) FROM orders", self._link.target_database)
            self.least, self.polls = min(self.least, count), self.polls + 1


def test_readers_never_miss_rows_while_a_shadow_table_is_loaded(link: Link) -> None:
    begin(link, ROWS)
    link.wait_until_equal()
    on_target(
        link,
        "CREATE VIEW seen AS SELECT id, name FROM orders",
        "UPDATE orders SET name = 'spoilt' WHERE id < 100",
        "INSERT INTO orders VALUES (-1, 'not from the source', -1), (-2, 'nor this', -2)",
        "UPDATE orders SET number = CASE number WHEN 500 THEN -500 ELSE number END",
        "UPDATE orders SET number = 500 WHERE id = 501",
        "UPDATE orders SET number = 501 WHERE id = 500",
    )
    with Readers(link) as readers:
        wait_until(lambda: readers.polls > 3, 30)
        again(link, Begin(mode="full", beside=True), publish=True)
        on_source(link, "INSERT INTO orders VALUES (-5, 'later', -5)")
        link.wait_until_equal()
    assert readers.least >= ROWS
    assert link.subscriber.reports["orders"]["rows_loaded"] == ROWS
    seen = link.target.rows("SELECT count(*) FROM seen", link.target_database)
    assert seen == [(ROWS + 1,)], "what hangs on the table still does"
    assert shadow_tables(link) == 0, "no shadow table is left"


def shadow_tables(link: Link) -> int:
    """How many tables there are that a load fills."""
    query = "SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'zcbus_load_%%' AND table_schema = %s"
    schema = schema_of(link.target, link.target_database)
    return int(link.target.rows(query, link.target_database, (schema,))[0][0])


def test_a_load_into_a_shadow_table_survives_kills(link: Link) -> None:
    begin(link, ROWS)
    on_target(link, "DELETE FROM orders WHERE id < 10", "INSERT INTO orders VALUES (-1, 'x', -1)")
    link.tables["orders"] |= {"begin": Begin(mode="full", beside=True), "generation": 2}
    link.generations["orders"] = 2
    link.publisher.give(link.publish_task())
    # The row that is held is in the source's server too, whose snapshot would wait for it.
    wait_until(lambda: published(link) == (2, "incremental-release"), 30, link.describe)
    with link.target.connect(link.target_database) as session, session.cursor() as cursor:
        # It keeps the old rows from being exchanged.
        cursor.execute("BEGIN")
        cursor.execute("SELECT id FROM orders WHERE id = -1 FOR UPDATE")
        link.subscriber.give(link.subscribe_task())
        for _ in range(3):
            wait_until(lambda: shadow_tables(link) == 1 and loads(link), 30, link.describe)
            link.subscriber.kill()
            link.subscriber.reports.clear()
            link.subscriber.start()
        wait_until(lambda: loads(link), 30, link.describe)
        assert shadow_tables(link) == 1, "each kill came during the load"
        cursor.execute("ROLLBACK")
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()
    assert shadow_tables(link) == 0


def published(link: Link) -> tuple[int, str]:
    report = link.publisher.reports["p-orders"]
    return report["generation"], report["state"]


def loads(link: Link) -> bool:
    report = link.subscriber.reports.get("orders", {})
    return (report.get("generation"), report.get("state")) == (2, "full-running")


def test_a_table_of_changes_only_is_loaded_and_continues(link: Link) -> None:
    begin(link, load=LoadMode.INCREMENTAL)
    again(link, Begin(mode="full"), publish=True)
    on_source(link, "UPDATE orders SET name = 'changed' WHERE id = 3", "DELETE FROM orders WHERE id = 4")
    link.wait_until_equal()
    assert link.subscriber.reports["orders"]["rows_loaded"] == 20


def test_changes_from_a_moment_on_and_from_a_record_on(link: Link) -> None:
    begin(link)
    early = time.time_ns() // 1_000_000 - 3_600_000
    on_source(link, "INSERT INTO orders VALUES (100, 'before', 100)")
    link.wait_until_equal()
    time.sleep(0.05)  # the clock of the records counts milliseconds
    moment = time.time_ns() // 1_000_000
    on_source(link, "INSERT INTO orders VALUES (101, 'behind', 101)", "UPDATE orders SET name = 'x' WHERE id = 1")
    link.wait_until_equal()
    on_target(link, "DELETE FROM orders WHERE id >= 100", "UPDATE orders SET name = 'y' WHERE id = 1")
    place = resolve(link, at_ms=moment)
    assert place.tables[0].changes == 2
    assert abs((place.tables[0].first_change_ms or 0) - moment) < 60_000
    again(link, Begin(mode="incremental", offset=place.offset, record_time=place.record_time), publish=False)
    query = "SELECT id FROM orders WHERE id >= 100 OR name = 'x' ORDER BY id"
    wait_until(lambda: link.target.rows(query, link.target_database) == [(1,), (101,)], 30, link.describe)
    whole = resolve(link, offset=place.first_offset)
    assert whole.tables[0].changes >= 3
    again(link, Begin(mode="incremental", offset=whole.offset, record_time=whole.record_time), publish=False)
    link.wait_until_equal()
    with pytest.raises(PositionTooEarly) as refused:
        resolve(link, at_ms=early)
    assert datetime.now(UTC).strftime("%Y-") in str(refused.value.facts["first"])
    with pytest.raises(PositionTooLate):
        resolve(link, offset=place.next_offset + 1_000_000)


def test_a_position_on_another_topic_is_refused(link: Link) -> None:
    begin(link)
    place = resolve(link, offset=0)
    number = link.subscriber.reports["orders"]["generation"] + 1
    wrong = Begin(mode="incremental", offset=max(1, place.next_offset - 1), record_time=1)
    link.tables["orders"] |= {"begin": wrong, "generation": number}
    link.retask()
    report = link.wait_for_state("orders", "full-info-expired")
    assert report["reason"]["code"] == "topic-replaced"
