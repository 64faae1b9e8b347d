"""Schema changes that are in the catalog and not in the log: followed as they were, or the table stops."""

import threading
from collections.abc import Callable

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_drift import decide, the_drift

from zcbus.model.row_errors import Decision
from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server"), ("postgres_server", "mariadb_server")]


def run(link: Link, *definitions: str, rows: str = "(1, 'a1', 'b1'), (2, 'a2', 'b2'), (3, 'a3', 'b3')") -> None:
    """Tables `t`, `u`, … with these columns behind the key."""
    for table, columns in zip("tu", definitions, strict=False):
        on_source(
            link, f"CREATE TABLE {table} (id integer PRIMARY KEY, {columns})", f"INSERT INTO {table} VALUES {rows}"
        )
        link.tables[table] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")


def while_stopped(link: Link, *statements: str) -> None:
    """The publisher is away while these run."""
    assert link.publisher.stop() == 0
    on_source(link, *statements)
    link.publisher.start()


def has_stopped(link: Link, table: str) -> bool:
    published, subscribed = link.publisher.reports.get(f"p-{table}", {}), link.subscriber.reports.get(table, {})
    return published.get("state") == "publish-failed" or subscribed.get("state") == "incremental-error"


def settle(link: Link, table: str) -> None:
    """The table gets equal, or stops; and it does not say that it runs over other rows."""
    on_source(link, "CREATE TABLE IF NOT EXISTS other (id integer)")
    wait_until(lambda: has_stopped(link, table) or not link.difference(table), 60, link.describe)


def check_stopped(link: Link, table: str) -> None:
    wait_until(lambda: has_stopped(link, table), 60, link.describe)


def test_a_column_that_takes_the_name_of_a_dropped_one(link: Link) -> None:
    """Before, all rows but the changed one kept the dropped column's values."""
    run(link, "a varchar(9), b varchar(9)")
    while_stopped(
        link,
        "UPDATE t SET a = 'x1' WHERE id = 1",
        "ALTER TABLE t DROP COLUMN b",
        "ALTER TABLE t RENAME a TO b",
        "UPDATE t SET b = 'n' WHERE id = 2",
    )
    settle(link, "t")


def test_columns_that_exchange_their_names(link: Link) -> None:
    run(link, "a varchar(9), b varchar(9)")
    while_stopped(
        link,
        "UPDATE t SET a = 'x1' WHERE id = 1",
        "ALTER TABLE t RENAME a TO c",
        "ALTER TABLE t RENAME b TO a",
        "ALTER TABLE t RENAME c TO b",
        "UPDATE t SET b = 'n' WHERE id = 2",
    )
    settle(link, "t")


def test_a_column_that_is_added_twice_with_other_defaults(link: Link) -> None:
    run(link, "a varchar(9), b varchar(9)")
    while_stopped(
        link,
        "ALTER TABLE t ADD c integer DEFAULT 21",
        "UPDATE t SET a = 'x1' WHERE id = 1",
        "ALTER TABLE t DROP c, ADD c integer DEFAULT 23",
        "UPDATE t SET a = 'x2' WHERE id = 2",
    )
    settle(link, "t")


@pytest.mark.parametrize("savepoint", ["", "SAVEPOINT s;"])
def test_a_column_that_is_replaced_within_a_transaction(link: Link, savepoint: str) -> None:
    run(link, "a varchar(9), b varchar(9)")
    on_source(
        link,
        f"BEGIN; UPDATE t SET a = 'x1' WHERE id = 1; {savepoint} ALTER TABLE t DROP COLUMN b; "
        "ALTER TABLE t ADD COLUMN b varchar(9) DEFAULT 'fresh'; UPDATE t SET a = 'x2' WHERE id = 2; COMMIT",
    )
    settle(link, "t")


def test_a_change_that_the_log_has_before_others_see_it(link: Link) -> None:
    run(link, "a varchar(9)", rows="(1, 'a1'), (2, 'a2')")
    altering = threading.Thread(
        target=on_source,
        args=(link, "ALTER TABLE t ADD COLUMN b varchar(9) DEFAULT 'new'; UPDATE t SET a = 'x' WHERE id = 1"),
    )
    # A commit that waits for a standby is in the log, and no other session sees it.
    on_source(link, "ALTER SYSTEM SET synchronous_standby_names = 'away'", "SELECT pg_reload_conf()")
    try:
        # New sessions have it once the postmaster has signalled all processes; the checkpointer then lets commits wait.
        wait_until(lambda: "away" in str(link.source.rows("SHOW synchronous_standby_names")), 30, link.describe)
        on_source(link, "CHECKPOINT")
        altering.start()
        waiting = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%txid_snapshot_xmax%' AND pid <> pg_backend_pid()"
        commits = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'ALTER TABLE t%'"
        wait_until(lambda: bool(link.source.rows(commits)), 30, link.describe)
        wait_until(lambda: has_stopped(link, "t") or bool(link.source.rows(waiting)), 30, link.describe)
    finally:
        on_source(link, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
        altering.join()
    link.wait_until_equal()
    assert not has_stopped(link, "t")


def test_columns_are_replaced_and_the_table_continues(link: Link) -> None:
    """What can be proved is followed, also while the publisher is away."""
    run(link, "a varchar(9), b varchar(9)")
    while_stopped(
        link,
        "UPDATE t SET b = 'x1' WHERE id = 1",
        "ALTER TABLE t DROP COLUMN b, ADD COLUMN c integer DEFAULT 5",
        "UPDATE t SET c = 6 WHERE id = 2",
        "ALTER TABLE t RENAME a TO d",
        "INSERT INTO t (id, d) VALUES (4, 'd4')",
    )
    link.wait_until_equal()
    on_source(link, "ALTER TABLE t ADD e integer DEFAULT 9", "ALTER TABLE t DROP c", "DELETE FROM t WHERE id = 1")
    link.wait_until_equal()
    assert not has_stopped(link, "t")


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("BEGIN; ALTER TABLE t ADD x integer NOT NULL DEFAULT 7; ALTER TABLE t ALTER x DROP DEFAULT; COMMIT", 7),
        ("BEGIN; ALTER TABLE t ADD x integer; ALTER TABLE t ALTER x SET DEFAULT 8; COMMIT", None),
        ("BEGIN; ALTER TABLE t ADD x integer DEFAULT 7; ALTER TABLE t ALTER x SET DEFAULT 8; COMMIT", 7),
    ],
)
def test_old_rows_hold_what_the_column_was_added_with(link: Link, statements: str, value: int | None) -> None:
    """Whatever became of the default: frameworks add columns with one and drop it at once."""
    run(link, "a varchar(9), b varchar(9)")
    on_source(link, statements, "UPDATE t SET x = 1 WHERE id = 1")
    link.wait_until_equal()
    assert link.source.rows("SELECT x FROM t WHERE id = 2", link.source_database) == [(value,)]
    assert not has_stopped(link, "t")


@pytest.mark.parametrize(
    "statements",
    [
        "ALTER TABLE t ADD x float DEFAULT random()",
        "BEGIN; ALTER TABLE t ADD x float DEFAULT random(); ALTER TABLE t ALTER x DROP DEFAULT; COMMIT",
        "ALTER TABLE t ALTER n TYPE bigint USING n * 2",
        "ALTER TABLE t ALTER a TYPE varchar(20) USING upper(a)",
    ],
)
def test_values_that_no_row_of_the_log_has_stop_the_table(link: Link, statements: str) -> None:
    run(link, "a varchar(9), n integer", rows="(1, 'a1', 1), (2, 'a2', 2)")
    on_source(link, statements, "UPDATE t SET a = 'x' WHERE id = 1")
    check_stopped(link, "t")


def test_a_widened_type_is_followed_once_an_operator_says_that_no_value_changed(link: Link) -> None:
    """PostgreSQL rewrites the table for it, and does not log whether an expression made the new values."""
    run(link, "a varchar(9), n integer", rows="(1, 'a1', 1), (2, 'a2', 2)")
    on_source(link, "ALTER TABLE t ALTER n TYPE bigint", "INSERT INTO t VALUES (3, 'a3', 9999999999)")
    drift = the_drift(link)
    assert "values-rewritten" in drift.detail
    decide(link, drift, Decision.RETRY)
    link.wait_until_equal()


def swap(link: Link) -> None:
    on_source(link, "BEGIN; ALTER TABLE t RENAME TO s; ALTER TABLE u RENAME TO t; ALTER TABLE s RENAME TO u; COMMIT")


def make_again(link: Link) -> None:
    on_source(link, "BEGIN; DROP TABLE t; CREATE TABLE t (id integer PRIMARY KEY, a varchar(9), b varchar(9)); COMMIT")


@pytest.mark.soak(but=["postgres-mariadb-*"])
@pytest.mark.parametrize("away", [True, False])
@pytest.mark.parametrize("change", [swap, make_again])
def test_a_table_that_another_one_replaced(link: Link, change: Callable[[Link], None], away: bool) -> None:
    """Tables are known by their oids: rows of the other one are not taken for the table's."""
    run(link, "a varchar(9), b varchar(9)", "a varchar(9), b varchar(9)")
    if away:
        assert link.publisher.stop() == 0
    change(link)
    on_source(link, "INSERT INTO t VALUES (9, 'a9', 'b9')")
    if away:
        link.publisher.start()
    check_stopped(link, "t")


@pytest.mark.soak(but=["postgres-postgres-False", "postgres-mariadb-True"])
@pytest.mark.parametrize("away", [False, True])
def test_labels_that_are_renamed_stop_the_tables_that_have_them(link: Link, away: bool) -> None:
    on_source(link, "CREATE TYPE mood AS ENUM ('sad', 'ok')", "CREATE TYPE size AS ENUM ('s', 'm')")
    run(link, "a mood, b mood[]", "a size, b integer", rows="(1, NULL, NULL)")
    on_source(link, "UPDATE t SET a = 'ok', b = '{sad,ok}'", "UPDATE u SET a = 's'")
    wait_until(lambda: all(link.subscriber.reports[table]["updates"] for table in "tu"), 30, link.describe)
    statements = ("ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'", "ALTER TYPE size ADD VALUE 'l'")
    while_stopped(link, *statements) if away else on_source(link, *statements)
    wait_until(lambda: link.publisher.reports["p-t"]["state"] == "publish-failed", 30, link.describe)
    assert link.publisher.reports["p-t"]["reason"]["facts"]["reason"] == "labels-renamed"
    on_source(link, "UPDATE u SET b = 7")
    wait_until(lambda: not link.difference("u"), 30, link.describe)
    assert not has_stopped(link, "u")


@pytest.mark.parametrize("together", [False, True])
def test_values_that_a_type_change_to_the_same_type_made_stop_the_table(link: Link, together: bool) -> None:
    """Before, rows that were not changed since kept their former values."""
    run(link, "a varchar(9), b varchar(9)", "a varchar(9), b varchar(9)")
    statements = ["ALTER TABLE t ALTER COLUMN a TYPE varchar(9) USING upper(a)", "UPDATE t SET b = 'x' WHERE id = 1"]
    on_source(link, *([f"BEGIN; {'; '.join(statements)}; COMMIT"] if together else statements))
    on_source(link, "VACUUM FULL u", "UPDATE u SET b = 'y'")
    check_stopped(link, "t")
    assert link.publisher.reports["p-t"]["reason"]["facts"]["reason"] == "values-rewritten"
    wait_until(lambda: not link.difference("u"), 60, link.describe)
    assert not has_stopped(link, "u")


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ("ALTER TABLE t ALTER n TYPE bigint USING n * 2; UPDATE t SET n = 9 WHERE id = 1", "values-rewritten"),
        (
            "UPDATE t SET n = 9 WHERE id = 1; ALTER TABLE t ALTER n TYPE text USING n || 'x'; "
            "DELETE FROM t WHERE id = 2",
            "type-changed",
        ),
    ],
)
def test_a_type_change_and_rows_of_one_transaction_stop_the_table(link: Link, statements: str, reason: str) -> None:
    run(link, "a varchar(9), n integer", rows="(1, 'a1', 1), (2, 'a2', 2), (3, 'a3', 3)")
    on_source(link, f"BEGIN; {statements}; COMMIT")
    check_stopped(link, "t")
    assert reason in link.describe()


def test_a_text_without_length_takes_a_dropped_ones_name_with_a_default(link: Link) -> None:
    """Before, old rows had no value on MariaDB, where such columns have no defaults."""
    run(link, "a text, b varchar(9)")
    on_source(
        link, "ALTER TABLE t DROP a", "ALTER TABLE t ADD a text DEFAULT 'new'", "UPDATE t SET b = 'x' WHERE id = 1"
    )
    settle(link, "t")
    assert not has_stopped(link, "t")
