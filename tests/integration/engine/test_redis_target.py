"""Redis as a target: rows, changes and changes of structure arrive, also through kills of workers and server."""

import orjson
import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "valkey_server")]
Row = tuple[str | None, ...]


def sent(link: Link, columns: str) -> list[Row]:
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def held(link: Link, columns: str) -> list[Row]:
    """Read without the connector."""
    with link.target.client(link.target_database) as client:
        names = sorted(client.keys("orders:*"), key=lambda name: int(name.partition(":")[2]))
        found = [client.hgetall(name) for name in names]
    return [tuple(row.get(name) for name in columns.split(", ")) for row in found]


@pytest.mark.wide
def test_load_changes_structure_and_comparison(link: Link) -> None:
    start(link, 1500)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link, sent, held)
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "INSERT INTO orders VALUES (9000, NULL, NULL, '')",
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "UPDATE orders SET price = 7 WHERE id = 9000",
        "ALTER TABLE orders DROP COLUMN name",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, sent, held, "id, price, body, note")
    with link.target.client(link.target_database) as client:
        assert "name" not in client.hgetall("orders:2")
        client.hset("orders:7", "price", "0")
        client.delete("orders:8")
        client.hset("orders:99999", mapping={"id": "99999", "price": "1"})
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (1, 1, 1)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 3)
    wait_until_same(link, sent, held, "id, price, body, note")
    on_source(link, "TRUNCATE orders", "INSERT INTO orders (id) VALUES (1)")
    wait_until_same(link, sent, held, "id, price, body, note")


@pytest.mark.wide
def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    """Each change adds to what was there, so one that is lost or done twice shows."""
    start(link, 4000)
    link.wait_for_state("orders", "full-running")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, 5):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 500}) n",
            "UPDATE orders SET amount = amount + 1",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
        )
        link.subscriber.kill()
        if round_ == 2:
            link.target.restart()
        link.subscriber.start()
    wait_until_same(link, sent, held)


def test_rows_as_strings_of_json(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    given = link.target.options
    monkeypatch.setattr(
        link.target, "options", lambda database: given(database, template="shop:{table}#{key}", form="json", ttl=3600)
    )
    on_source(
        link, "CREATE TABLE goods (k text, n smallint, flag boolean, raw bytea, price numeric, PRIMARY KEY (k, n))"
    )
    on_source(link, "INSERT INTO goods VALUES ('a:b', 1, true, '\\x00ff', 1.50), ('a', -2, NULL, NULL, NULL)")
    link.tables["goods"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("goods", "incremental-running")
    on_source(link, "UPDATE goods SET flag = false WHERE n = -2")
    with link.target.client(link.target_database) as client:
        wait_until(lambda: '"flag":false' in (client.get("shop:goods#a:-2") or ""), 30, link.describe)
        assert orjson.loads(client.get("shop:goods#a%3Ab:1")) == {
            "k": "a:b",
            "n": 1,
            "flag": True,
            "raw": "AP8=",
            "price": "1.50",
        }
        assert 0 < client.ttl("shop:goods#a:-2") <= 3600
        assert len(client.keys("shop:*")) == 2
    record = comparison(link, "goods").compare()
    assert (record.rows_compared, record.missing, record.extra, record.different) == (2, 0, 0, 0)
