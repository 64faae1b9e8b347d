"""The table of the tests of targets that no SQL of ours reads: rows with NULL, empty and large values."""

from collections.abc import Callable, Sequence

from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.model.states import DdlMode

COLUMNS = "id integer PRIMARY KEY, name varchar(100), amount numeric(12,2), body text"
ALL = "id, name, amount, body"
Read = Callable[[Link, str], Sequence[object]]
"""The rows of some columns in the order of the key, comparable with those of the other side."""


def start(link: Link, rows: int) -> None:
    on_source(link, f"CREATE TABLE orders ({COLUMNS})")
    # What an update leaves as it is is not sent then.
    on_source(link, "ALTER TABLE orders ALTER body SET STORAGE EXTERNAL")
    on_source(
        link,
        "INSERT INTO orders SELECT n, CASE WHEN n % 3 = 0 THEN NULL ELSE '名 ' || n END, n + 0.5, "
        f"CASE WHEN n % 5 = 0 THEN '' ELSE repeat(md5(n::text), 100) END FROM generate_series(1, {rows}) n",
    )
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()


def wait_until_same(link: Link, sent: Read, held: Read, columns: str = ALL) -> None:
    def different() -> str:
        there, here = set(held(link, columns)), set(sent(link, columns))
        return f"missing {list(here - there)[:3]}, extra {list(there - here)[:3]}\n{link.describe()}"

    wait_until(lambda: held(link, columns) == sent(link, columns), 90, different)
