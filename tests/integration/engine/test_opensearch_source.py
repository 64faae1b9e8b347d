"""OpenSearch as a source by watermark: documents and changes arrive, also through kills; comparison finds deleted
ones."""

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.kit.clock import now_ms
from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("opensearch_server", "postgres_server")]
COLUMNS = "orders: name text, n bigint, updatedAt timestamptz"


def held(link: Link) -> list[tuple[object, ...]]:
    if not link.target_has("orders"):
        return []
    return [
        tuple(row) for row in link.target.rows("SELECT _id, name, n FROM orders ORDER BY _id", link.target_database)
    ]


def sent(link: Link) -> list[tuple[object, ...]]:
    rows = link.source.rows(link.source_database, "orders")
    return sorted((f"{one['number']:05}", one["name"], one["n"]) for one in rows)


def wait_until_same(link: Link) -> None:
    wait_until(lambda: held(link) == sent(link), 90, link.describe)


def put(link: Link, first: int, last: int, name: str, n: int) -> None:
    """New documents, or the same with other values."""
    lines: list[dict[str, object]] = []
    for number in range(first, last):
        values = {"number": number, "name": f"{name} {number}", "n": n, "updatedAt": now_ms()}
        lines += [{"index": {"_id": f"{number:05}"}}, values]
    link.source.send(f"/{link.source_database}orders/_bulk", lines)


def start(link: Link, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    options = link.source.options
    monkeypatch.setattr(link.source, "options", lambda database: options(database, columns=COLUMNS))
    fields = {"properties": {"updatedAt": {"type": "date"}}}
    link.source.client.put(f"/{link.source_database}orders", json={"mappings": fields}).raise_for_status()
    put(link, 1, rows + 1, "名", 1)
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()


def test_load_changes_and_deleted_rows(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    start(link, 300, monkeypatch)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)
    put(link, 250, 350, "next", 2)
    wait_until_same(link)
    link.source.client.delete(f"/{link.source_database}orders/_doc/00007").raise_for_status()
    link.source.client.post(f"/{link.source_database}orders/_refresh").raise_for_status()
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 1, 0)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 1)
    wait_until_same(link)


@pytest.mark.soak
def test_kills_lose_no_change(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    start(link, 300, monkeypatch)
    link.wait_for_state("orders", "full-running")
    link.publisher.kill()
    link.publisher.start()
    for round_ in range(1, 4):
        put(link, 100 * round_, 100 * round_ + 120, "round", round_)
        if round_ == 2:
            link.source.kill()
            link.source.start()
        else:
            killed = link.publisher if round_ == 1 else link.subscriber
            killed.kill()
            killed.start()
    wait_until_same(link)
