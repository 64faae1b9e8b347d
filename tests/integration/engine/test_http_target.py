"""A service over HTTP as a target: rows by key, or signed events, arrive in the order of each key through kills."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from typing import Any, cast

import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link, connection, on_source, wait_until
from tests.integration.engine.test_comparison import comparison
from tests.servers.http_receiver import ROWS, WEBHOOK, HttpReceiver
from tests.support.rest_service import Asked, Reply

from zcbus.bus.open import open_bus
from zcbus.connectors.emitting.log import keep_in
from zcbus.engine.connections import registered
from zcbus.engine.requests.precheck import precheck
from zcbus.engine.requests.watch import Watch
from zcbus.engine.state_logs import BusStateLog, keep_states_on_the_bus, topic_of
from zcbus.model.states import CleanMode
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import PlannedTable, Precheck

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "http_receiver")]
Row = tuple[str | None, ...]


def receiver(link: Link) -> HttpReceiver:
    return cast("HttpReceiver", link.target)


@pytest.fixture(autouse=True)
def _same_bus(link: Link) -> Iterator[None]:
    """What this process asks of the target is on the bus of the workers. At the end the service answers again."""
    with closing(open_bus(link.bus, link.data_dir)) as bus:
        keep_in(lambda place: BusStateLog(bus, topic_of(place)))
        yield
    keep_states_on_the_bus()
    receiver(link).before = lambda _: None


def sent(link: Link, columns: str) -> list[Row]:
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def held(link: Link, columns: str) -> list[Row]:
    found = receiver(link).rows(link.target_database, "orders")
    names = columns.split(", ")
    return [tuple(None if row.get(name) is None else str(row[name]) for name in names) for row in found]


def changes_with_kills(link: Link, rounds: int) -> None:
    """Each change adds to what was there, so one that is lost, or comes too late, shows."""
    link.wait_for_state("orders", "full-running")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, rounds + 1):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 100}) n",
            "UPDATE orders SET amount = amount + 1 WHERE id % 3 = 0",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
            f"UPDATE orders SET id = -id WHERE id % 89 = {round_} AND body = ''",
        )
        link.subscriber.kill()
        link.subscriber.start()


def test_events_through_kills(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver(link), "definition", WEBHOOK)
    start(link, 600)
    changes_with_kills(link, 2)
    wait_until_same(link, sent, held)
    by_key: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in receiver(link).events[link.target_database]:
        by_key[str(event["key"])].append(event)
    assert {one["operation"] for events in by_key.values() for one in events} >= {"load", "update", "delete"}
    partial = next(one for events in by_key.values() for one in events if one["operation"] == "update")
    assert "body" in partial["unchanged"]
    assert "body" not in partial["row"]


def test_rows_by_key_through_kills_and_compared(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver(link), "definition", ROWS)
    start(link, 300)
    link.wait_for_state("orders", "incremental-running")
    on_source(link, "UPDATE orders SET amount = 7, body = 'whole' WHERE id < 20", "DELETE FROM orders WHERE id = 9")
    link.subscriber.kill()
    link.subscriber.start()
    on_source(link, "UPDATE orders SET name = 'only the name' WHERE id BETWEEN 50 AND 60")
    wait_until_same(link, sent, held)
    record = comparison(link, "orders").compare()
    assert (record.rows_compared, record.missing, record.extra, record.different) == (299, 0, 0, 0)


def test_refused_rows_and_a_service_that_is_busy(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that is refused waits for a decision, all others arrive; 429 and 503 are tried again."""
    monkeypatch.setattr(receiver(link), "definition", ROWS)
    start(link, 50)
    link.wait_for_state("orders", "incremental-running")
    failures = {"left": 5}

    def before(asked: Asked) -> Reply | None:
        if asked.method != "GET" and asked.path.endswith("/7001"):
            return Reply({"error": "no such customer"}, status=422)
        if failures["left"] > 0:
            failures["left"] -= 1
            return Reply(status=429 if failures["left"] % 2 else 503, headers={"Retry-After": "0"})
        return None

    receiver(link).before = before
    on_source(link, "INSERT INTO orders SELECT n, 'x', 1, '' FROM generate_series(7000, 7004) n")
    wait_until(lambda: link.subscriber.reports["orders"].get("row_errors") == 1, 60, link.describe)
    wanted = [row for row in sent(link, "id, name") if row[0] != "7001"]
    wait_until(lambda: held(link, "id, name") == wanted, 30, link.describe)
    receiver(link).before = lambda _: None
    on_source(link, "UPDATE orders SET name = 'now known', body = 'whole' WHERE id = 7001")
    wait_until_same(link, sent, held)
    wait_until(lambda: link.subscriber.reports["orders"].get("row_errors") == 0, 60, link.describe)


def test_the_precheck_finds_tables_that_the_document_lacks(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver(link), "definition", ROWS)
    on_source(link, "CREATE TABLE orders (id bigint PRIMARY KEY)", "CREATE TABLE others (id bigint PRIMARY KEY)")
    names = (TableRef(schema_name="public", table=name) for name in ("orders", "others"))
    request = Precheck(
        source=connection(link.source, link.source_database),
        target=connection(link.target, link.target_database),
        tables=tuple(PlannedTable(source=one) for one in names),
        clean=CleanMode.NONE,
    )

    def found(request: Precheck) -> set[tuple[str, object]]:
        findings = precheck(request, registered, link.bus, Watch()).findings
        return {
            (str(one.reason.facts["table"]), one.reason.facts["reason"]) for one in findings if one.level == "error"
        }

    assert found(request) == {("http.others", "target-not-declared")}
    emptied = request.model_copy(update={"clean": CleanMode.TRUNCATE})
    assert found(emptied) == {("http.others", "target-not-declared"), ("http.orders", "target-not-emptied")}
    assert receiver(link).rows(link.target_database, "orders") == []
