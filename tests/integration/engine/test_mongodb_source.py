"""MongoDB as a source by watermark: documents and changes arrive, also through kills; comparison finds deleted ones."""

from datetime import UTC, datetime
from typing import Any

import pytest
from bson import ObjectId
from pymongo import ReplaceOne
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("mongodb_server", "postgres_server")]
COLUMNS = "orders: name text, n bigint, updatedAt timestamptz"


def held(link: Link) -> list[tuple[object, ...]]:
    if not link.target_has("orders"):
        return []
    query = 'SELECT _id, name, n, "document"::text FROM orders ORDER BY _id'
    return [tuple(row) for row in link.target.rows(query, link.target_database)]


def sent(link: Link) -> list[tuple[object, ...]]:
    with link.source.database(link.source_database) as database:
        documents = list(database["orders"].find({}))
    return sorted((str(one["_id"]), one["name"], one["n"], f'{{"tags":["{one["tags"][0]}"]}}') for one in documents)


def wait_until_same(link: Link) -> None:
    wait_until(lambda: [row[:3] for row in held(link)] == [row[:3] for row in sent(link)], 90, link.describe)


def document(number: int, name: str, n: int) -> dict[str, Any]:
    values = {"name": f"{name} {number}", "n": n, "tags": [name], "updatedAt": datetime.now(UTC)}
    return {"_id": ObjectId(f"{number:024x}"), **values}


def put(link: Link, first: int, last: int, name: str, n: int) -> None:
    """New documents, or the same with other values."""
    writes = [document(one, name, n) for one in range(first, last)]
    with link.source.database(link.source_database) as database:
        database["orders"].bulk_write([ReplaceOne({"_id": one["_id"]}, one, upsert=True) for one in writes])


def start(link: Link, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    options = link.source.options
    monkeypatch.setattr(link.source, "options", lambda database: options(database, columns=COLUMNS))
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
    assert held(link) == sent(link)
    with link.source.database(link.source_database) as database:
        database["orders"].delete_one({"_id": ObjectId(f"{7:024x}")})
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
