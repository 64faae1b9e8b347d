"""Stream queries over real tables: the target has what the same SELECT gives at the source, whatever is killed."""

import threading

import pytest
from tests.integration.engine.running import Link, Worker, connection, on_source, schema_of, wait_until

from zcbus.kit.bus_settings import BusSettings
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import StreamQueryInput, StreamTask

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]

SQL = """
    SELECT s.city, c.name AS product, count(*) AS sales, sum(s.amount) AS total, min(s.sold) AS first_sale
    FROM sales s JOIN goods c ON c.id = s.product WHERE s.amount > 0 GROUP BY s.city, c.name
"""
WINDOWS = "SELECT time_bucket(INTERVAL '1 hour', sold) AS hour, count(*) AS sales FROM sales GROUP BY 1"
AT_SOURCE = {
    "postgresql": "SELECT date_trunc('hour', sold) AS hour, count(*) AS sales FROM sales GROUP BY 1",
    "mysql": "SELECT CAST(DATE_FORMAT(sold, '%Y-%m-%d %H:00:00') AS DATETIME) AS hour, count(*) FROM sales GROUP BY 1",
}


class Computing:
    """A stream query's worker next to the link's publisher."""

    def __init__(self, link: Link, name: str, sql: str, key: tuple[str, ...], inputs: tuple[str, ...]) -> None:
        self._link, self._name = link, name
        source = schema_of(link.source, link.source_database)
        task = StreamTask(
            service=f"stream-{name}",
            computation=name,
            inputs=tuple(
                StreamQueryInput(
                    name=table,
                    node=link.node,
                    published=f"p-{table}",
                    source=TableRef(schema_name=source, table=table),
                    generation=1,
                )
                for table in inputs
            ),
            sql=sql,
            key=key,
            interval_ms=50,
            target=connection(link.target, link.target_database),
            table=TableRef(schema_name=schema_of(link.target, link.target_database), table=name),
        )
        self.worker = Worker(link.data_dir, task, BusSettings())

    def wait_for_state(self, state: str) -> None:
        wait_until(lambda: self.worker.reports.get(self._name, {}).get("state") == state, 60, self._describe)

    def wait_for_reason(self, code: str) -> None:
        self.wait_for_state("incremental-error")
        assert self.worker.reports[self._name]["reason"]["code"] == code

    def wait_until_equal(self, at_source: str) -> None:
        """The target's table has the rows that this query gives at the source, which must be quiet."""
        wait_until(lambda: self._rows(at_source) == self._computed(), 60, lambda: self._difference(at_source))

    def _rows(self, at_source: str) -> list[str]:
        return sorted(map(repr, self._link.source.rows(at_source, self._link.source_database)))

    def _computed(self) -> list[str]:
        link = self._link
        if not link.target.rows(
            "SELECT 1 FROM information_schema.tables WHERE table_name = %s AND table_schema = %s",
            link.target_database,
            (self._name, schema_of(link.target, link.target_database)),
        ):
            return []
        return sorted(map(repr, link.target.rows(f"SELECT * FROM {self._name}", link.target_database)))

    def _difference(self, at_source: str) -> str:
        left, right = self._rows(at_source), self._computed()
        return f"{[r for r in left if r not in right][:3]} {[r for r in right if r not in left][:3]} {self._describe()}"

    def _describe(self) -> str:
        return f"{self.worker.reports}\n{self.worker.log[-5000:]}\n{self._link.publisher.log[-2000:]}"


@pytest.fixture
def sales(link: Link) -> Link:
    moment = "timestamp" if link.source.kind == "postgresql" else "datetime"
    on_source(
        link,
        "CREATE TABLE goods (id integer PRIMARY KEY, name varchar(40))",
        "CREATE TABLE sales "
        f"(id integer PRIMARY KEY, city varchar(20), product integer, amount numeric(12,2), sold {moment})",
        "INSERT INTO goods VALUES " + ", ".join(f"({n}, 'product {n}')" for n in range(10)),
        "INSERT INTO sales VALUES " + ", ".join(_sale(n) for n in range(500)),
    )
    link.tables.update(goods={}, sales={})
    link.set_tasks()
    link.publisher.start()
    return link


def _sale(number: int) -> str:
    at = f"2026-01-01 {number % 24:02}:{number % 60:02}:00"
    return f"({number}, 'city {number % 7}', {number % 10}, {number % 13 - 1}.25, '{at}')"


def _work(link: Link, over: threading.Event) -> None:
    """Transactions that move rows between groups, take them away and give them back."""
    step = 500
    with link.source.connect(link.source_database) as session:
        cursor = session.cursor()
        while not over.is_set():
            step += 1
            cursor.execute(f"INSERT INTO sales VALUES {_sale(step)}")
            cursor.execute(f"UPDATE sales SET city = 'city {step % 5}', amount = amount + 1 WHERE id = {step - 300}")
            cursor.execute(f"DELETE FROM sales WHERE id = {step - 450}")
            cursor.execute(f"UPDATE goods SET name = 'product {step}' WHERE id = {step % 10}")
            session.commit()


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres"])
def test_aggregates_joins_and_windows_follow_their_inputs_over_kills(sales: Link) -> None:
    both = ("sales", "goods")
    computing = [
        Computing(sales, "by_city", SQL, ("city", "product"), both),
        Computing(sales, "by_hour", WINDOWS, ("hour",), ("sales",)),
    ]
    over = threading.Event()
    load = threading.Thread(target=_work, args=(sales, over))
    try:
        for one in computing:
            one.worker.start()
        load.start()
        for _ in range(2):
            for one in computing:
                one.wait_for_state("incremental-running")
                one.worker.kill()
                one.worker.reports.clear()
                one.worker.start()
        over.set()
        load.join()
        computing[0].wait_until_equal(SQL)
        computing[1].wait_until_equal(AT_SOURCE[sales.source.kind])
        # A key without a value identifies nothing. What no SELECT reads may change.
        on_source(
            sales,
            "UPDATE goods SET name = NULL WHERE id = 3",
            "ALTER TABLE sales ADD COLUMN note varchar(10)",
            "INSERT INTO sales (id, sold) VALUES (9001, '2026-05-01 10:00:00')",
        )
        computing[0].wait_for_reason("result-key-broken")
        computing[1].wait_until_equal(AT_SOURCE[sales.source.kind])
        on_source(sales, "ALTER TABLE sales DROP COLUMN sold", "INSERT INTO sales (id) VALUES (9002)")
        computing[1].wait_for_reason("schema-changed")
    finally:
        over.set()
        for one in computing:
            one.worker.close()
