"""Keys that the source distinguishes stay distinct in the target, or the table stops with the reason."""

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until
from tests.integration.engine.test_comparison import comparison, counts

from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [
    ("postgres_server", "mariadb_server"),
    ("postgres_server", "mysql_server"),
    ("mariadb_server", "postgres_server"),
]

KEYS = ("a", "A", "á", "a ", "a  ")
INEXACT = {
    "mariadb": ["varchar(20) COLLATE utf8mb4_general_ci", "varchar(20) COLLATE utf8mb4_bin", "char(20)"],
    "mysql": ["varchar(20) COLLATE utf8mb4_0900_ai_ci", "varchar(20) COLLATE utf8mb4_bin", "char(20)"],
    "postgresql": ["varchar(20) COLLATE nocase", "char(20)"],
}


def of_target(link: Link) -> list[str]:
    kind = link.target.kind
    if kind == "postgresql":
        if link.target.rows("SELECT count(*) FROM pg_collation WHERE collname = 'und-x-icu'", link.target_database) == [
            (0,)
        ]:
            return INEXACT[kind][1:]  # this build has no collation that ignores anything
        on_target(link, "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
        return INEXACT[kind]
    version = str(link.target.rows("SELECT VERSION()", link.target_database)[0][0])
    return INEXACT["mariadb" if "MariaDB" in version else "mysql"]


def create(link: Link, table: str, keys: tuple[str, ...] = KEYS) -> None:
    exact = " COLLATE utf8mb4_nopad_bin" if link.source.kind == "mysql" else ""
    rows = ", ".join(f"('{key}', {number})" for number, key in enumerate(keys))
    on_source(
        link,
        f"CREATE TABLE {table} (k varchar(20){exact} PRIMARY KEY, v int)",
        f"INSERT INTO {table} VALUES {rows}",
    )


def as_texts(link: Link, side: str) -> list[tuple[str, int]]:
    """Keys are bytes where no collation of the server distinguishes all values."""
    server, database = (link.target, link.target_database) if side == "target" else (link.source, link.source_database)
    rows = server.rows("SELECT k, v FROM t", database)
    return sorted((key.decode() if isinstance(key, bytes) else key, v) for key, v in rows)


@pytest.mark.wide
def test_tables_that_we_make_compare_exactly(link: Link) -> None:
    create(link, "t")
    link.tables["t"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    wait_until(lambda: as_texts(link, "target") == as_texts(link, "source"), 60, link.describe)
    on_source(
        link,
        "UPDATE t SET v = 100 WHERE k = 'a '",
        "DELETE FROM t WHERE k IN ('A', 'a  ')",
        "INSERT INTO t VALUES ('c', 7), ('c ', 8)",
        "UPDATE t SET k = 'Á' WHERE k = 'a'",
    )
    wait_until(lambda: as_texts(link, "target") == as_texts(link, "source"), 60, link.describe)
    record = comparison(link, "t").compare()
    assert (counts(record), record.reason) == ((0, 0, 0, 0), None), record.differences


def test_infinity_is_not_taken_for_the_last_moment(link: Link, pair: tuple[str, str]) -> None:
    if pair[0] != "postgres_server":
        pytest.skip("only PostgreSQL has infinite moments")
    last = "9999-12-31 23:59:59.999999"
    on_source(link, "CREATE TABLE t (at timestamp PRIMARY KEY, v integer)", f"INSERT INTO t VALUES ('{last}', 1)")
    link.tables["t"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, "INSERT INTO t VALUES ('infinity', 2), ('-infinity', 3)", "DELETE FROM t WHERE at = 'infinity'")
    on_source(link, "INSERT INTO t VALUES ('infinity', 4)")
    wait_until(lambda: bool(link.subscriber.reports["t"]["row_errors"]), 30, link.describe)
    wait_until(lambda: len(link.rows(link.target, link.target_database, "t")) == 2, 30, link.describe)
    assert link.target.rows("SELECT v FROM t ORDER BY v", link.target_database) == [(1,), (3,)]


@pytest.mark.wide
@pytest.mark.parametrize("load", ["full", "incremental"])
def test_existing_tables_that_merge_keys_stop_until_they_are_mended(link: Link, load: str) -> None:
    tables = {f"t{number}": declared for number, declared in enumerate(of_target(link))}
    for table, declared in tables.items():
        create(link, table)
        on_target(link, f"CREATE TABLE {table} (k {declared} PRIMARY KEY, v int)")
        link.tables[table] = {"load": load} if load == "incremental" else {}
    link.set_tasks()
    link.start()
    if load == "incremental":
        for table in tables:
            link.wait_for_state(table, "incremental-running")
        on_source(link, *(f"INSERT INTO {table} VALUES ('b', 1), ('B', 2)" for table in tables))
    reports = link.subscriber.reports

    def stopped() -> bool:
        reasons = [reports.get(table, {}).get("reason") or {} for table in tables]
        return all(reason.get("code") == "target-key-inexact" for reason in reasons)

    wait_until(stopped, 60, link.describe)
    for table in tables:
        assert link.target.rows(f"SELECT count(*) FROM {table}", link.target_database) == [(0,)]
    on_target(link, *(reports[table]["reason"]["facts"]["statement"] for table in tables))
    if load == "full":
        for table in tables:
            link.wait_for_state(table, "incremental-running", 90)
            # Where nothing else is exact the statement makes the key binary; it then comes as bytes.
            held = link.target.rows(f"SELECT k, v FROM {table}", link.target_database)
            keys = {(key.decode() if isinstance(key, bytes) else key): number for key, number in held}
            assert keys == {key: number for number, key in enumerate(KEYS)}


@pytest.mark.parametrize("pair", [("mariadb_server", "mariadb_server")], ids=["mariadb-mariadb"])
@pytest.mark.parametrize("is_ours", [True, False], ids=["our table", "existing table"])
def test_keys_stay_apart_when_the_source_begins_to_distinguish_them(link: Link, is_ours: bool) -> None:
    """In utf8mb4_general_ci ä is a; in latin1_swedish_ci it is not."""
    created = "CREATE TABLE t (k varchar(20) COLLATE utf8mb4_general_ci PRIMARY KEY, v int) CHARSET utf8mb4"
    on_source(link, created, "INSERT INTO t VALUES ('ä', 1)")
    if not is_ours:
        on_target(link, created)
    link.tables["t"] = {"ddl": DdlMode.FOLLOW if is_ours else DdlMode.IGNORE}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, "ALTER TABLE t CONVERT TO CHARACTER SET latin1", "INSERT INTO t VALUES ('A', 2)")
    if not is_ours:
        reports = link.subscriber.reports
        wait_until(lambda: (reports["t"].get("reason") or {}).get("code") == "target-key-inexact", 60, link.describe)
        on_target(link, reports["t"]["reason"]["facts"]["statement"])
    wait_until(lambda: as_texts(link, "target") == [("A", 2), ("ä", 1)], 60, link.describe)
    link.wait_for_state("t", "incremental-running", 60)


@pytest.mark.parametrize("pair", [("mariadb_server", "mariadb_server")], ids=["mariadb-mariadb"])
def test_a_reload_keeps_keys_apart_that_the_source_distinguishes_since(link: Link) -> None:
    created = "CREATE TABLE t (k varchar(20) COLLATE utf8mb4_general_ci PRIMARY KEY, v int) CHARSET utf8mb4"
    on_source(link, created, "INSERT INTO t VALUES ('ä', 1)")
    link.tables["t"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    link.subscriber.stop()
    on_source(link, "ALTER TABLE t CONVERT TO CHARACTER SET latin1", "INSERT INTO t VALUES ('A', 2)")
    link.generations["t"] = 2
    link.set_tasks()
    link.publisher.give(link.publisher.task)
    link.subscriber.start()
    wait_until(lambda: as_texts(link, "target") == [("A", 2), ("ä", 1)], 60, link.describe)
    link.wait_for_state("t", "incremental-running", 60)
