"""The structure of tables changes while data flows: the target follows, or the table stops with the reason."""

from typing import Any

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.engine.requests.schema_versions import list_versions
from zcbus.model.states import DdlMode
from zcbus.protocol.bus_requests import ListVersions

pytestmark = pytest.mark.server
KINDS = ("postgres_server", "mariadb_server")
PAIRS = [(source, target) for source in KINDS for target in KINDS]


def run(link: Link, *tables: str, **fields: object) -> None:
    for table in tables:
        on_source(
            link,
            f"CREATE TABLE {table} "
            "(id integer PRIMARY KEY, name varchar(50) NOT NULL, amount integer, note varchar(20))",
            f"INSERT INTO {table} VALUES (1, 'one', 1, 'a'), (2, 'two', 2, NULL)",
        )
        link.tables[table] = {"ddl": DdlMode.FOLLOW, **fields}
    link.set_tasks()
    link.start()
    for table in tables:
        link.wait_for_state(table, "incremental-running")
    link.wait_until_equal()


def names(link: Link, table: str, side: str = "target") -> list[str]:
    server, database = (link.target, link.target_database) if side == "target" else (link.source, link.source_database)
    schema = "public" if server.kind == "postgresql" else database
    query = (
        "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s "
        "ORDER BY ordinal_position"
    )
    return [str(row[0]) for row in server.rows(query, database, (schema, table))]


def native(link: Link, postgresql: str, mysql: str) -> str:
    return postgresql if link.source.kind == "postgresql" else mysql


def reason(link: Link, table: str) -> dict[str, Any]:
    found: dict[str, Any] = link.wait_for_state(table, "incremental-error")["reason"]
    return found


def test_columns_are_added_with_what_old_rows_hold(link: Link) -> None:
    run(link, "t")
    on_source(
        link,
        "ALTER TABLE t ADD COLUMN plain varchar(10)",
        "ALTER TABLE t ADD COLUMN number integer DEFAULT 7",
        "ALTER TABLE t ADD COLUMN word varchar(20) DEFAULT 'it''s' NOT NULL",
        "INSERT INTO t (id, name, plain) VALUES (3, 'three', 'x')",
        "UPDATE t SET number = 8 WHERE id = 1",
    )
    link.wait_until_equal()
    on_source(link, "ALTER TABLE t ADD COLUMN later numeric(10,2) DEFAULT 1.50", "DELETE FROM t WHERE id = 2")
    link.wait_until_equal()
    assert link.subscriber.reports["t"]["state"] == "incremental-running"
    check_versions(link)


def check_versions(link: Link) -> None:
    """What the node's page shows: each structure with its position, and how long the newest change took."""
    found = list_versions(ListVersions(node=link.node, table="p-t"), link.data_dir, link.bus).versions
    assert [version.number for version in found] == list(range(len(found), 0, -1))
    assert [change.split()[2] for version in reversed(found) for change in version.changes] == [
        "plain",
        "number",
        "word",
        "later",
    ]
    assert all(version.position for version in found)
    assert [column.name for column in found[0].columns if column.key] == ["id"]
    wait_until(lambda: link.publisher.reports["p-t"]["delay_ms"] is not None, 60)
    assert link.publisher.reports["p-t"]["last_change_at"] is not None


def test_columns_are_dropped_and_renamed(link: Link) -> None:
    run(link, "t")
    on_source(
        link,
        "ALTER TABLE t DROP COLUMN note",
        "INSERT INTO t VALUES (3, 'three', 3)",
    )
    link.wait_until_equal()
    on_source(
        link,
        native(link, "ALTER TABLE t RENAME COLUMN amount TO total", "ALTER TABLE t CHANGE amount total integer"),
        "UPDATE t SET total = total + 10",
        "INSERT INTO t VALUES (4, 'four', 4)",
    )
    link.wait_until_equal()
    assert names(link, "t") == ["id", "name", "total"]


@pytest.mark.parametrize("pair", [("mariadb_server", target) for target in KINDS])
def test_a_column_dropped_and_added_again_loses_its_values(link: Link) -> None:
    """Both are read together: the table has its former schema again, and yet other values."""
    run(link, "t")
    link.subscriber.stop()
    on_source(
        link,
        "ALTER TABLE t DROP COLUMN note",
        "ALTER TABLE t ADD COLUMN note varchar(20)",
        "INSERT INTO t (id, name, note) VALUES (3, 'three', 'c')",
    )
    link.subscriber.start()
    link.wait_until_equal()


@pytest.mark.parametrize("pair", [("postgres_server", target) for target in KINDS])
def test_a_column_loses_its_last_nulls_behind_a_catalog_that_forbids_them(link: Link) -> None:
    """PostgreSQL's log does not say when a column became NOT NULL. Before, the table stopped for its NULLs."""
    run(link, "t")
    link.publisher.stop()
    on_source(
        link,
        "UPDATE t SET note = '' WHERE note IS NULL",
        "ALTER TABLE t ALTER note SET NOT NULL, ALTER note SET DEFAULT 'n'",
        "INSERT INTO t (id, name) VALUES (3, 'three')",
    )
    link.publisher.start()
    link.wait_until_equal()
    assert link.subscriber.reports["t"]["state"] == "incremental-running"


def test_types_widen_and_rules_change(link: Link) -> None:
    run(link, "t")
    long = "x" * 300
    on_source(
        link,
        native(
            link,
            "ALTER TABLE t ALTER COLUMN name TYPE varchar(500)",
            "ALTER TABLE t MODIFY name varchar(500) NOT NULL, MODIFY amount bigint",
        ),
        f"INSERT INTO t VALUES (3, '{long}', 999999999, NULL)",
        native(link, "ALTER TABLE t ALTER COLUMN name DROP NOT NULL", "ALTER TABLE t MODIFY name varchar(500) NULL"),
        "INSERT INTO t VALUES (4, NULL, 4, NULL)",
    )
    link.wait_until_equal()
    assert not link.subscriber.reports["t"]["row_errors"]


def test_a_schema_change_that_cannot_be_followed_stops_only_its_table(link: Link) -> None:
    run(link, "t", "u")
    on_source(
        link,
        native(
            link,
            "ALTER TABLE t ALTER COLUMN amount TYPE varchar(20) USING amount || 'x'",
            "ALTER TABLE t MODIFY amount varchar(20)",
        ),
        "INSERT INTO t VALUES (3, 'three', '3', NULL)",
        "INSERT INTO u VALUES (3, 'three', 3, NULL)",
    )
    found = reason(link, "t")
    assert (found["code"], found["facts"]["why"]) == ("schema-not-followed", "type-changed")
    wait_until(lambda: not link.difference("u"), 30, link.describe)
    link.generations["t"] = 2
    link.retask()
    wait_until(lambda: link.subscriber.reports["t"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("t", "incremental-running")
    link.wait_until_equal()


def test_values_of_another_type_stop_the_table_though_no_row_follows(link: Link) -> None:
    """Before, PostgreSQL's kept running over the former values until a row came. MySQL's log has the statement."""
    run(link, "t", "u")
    on_source(
        link,
        native(
            link,
            "ALTER TABLE t ALTER COLUMN name TYPE integer USING length(name)",
            "ALTER TABLE t MODIFY amount varchar(20)",
        ),
    )
    wait_until(lambda: has_stopped(link, "t"), 30, link.describe)
    on_source(link, "INSERT INTO u VALUES (3, 'three', 3, NULL)")
    wait_until(lambda: not link.difference("u"), 30, link.describe)
    link.generations["t"] = 2
    link.retask()
    wait_until(lambda: link.subscriber.reports["t"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("t", "incremental-running")
    link.wait_until_equal()


def has_stopped(link: Link, table: str) -> bool:
    published, subscribed = link.publisher.reports.get(f"p-{table}", {}), link.subscriber.reports.get(table, {})
    return published.get("state") == "publish-failed" or subscribed.get("state") == "incremental-error"


@pytest.mark.wide
def test_a_changed_key_stops_the_table_until_it_is_reloaded(link: Link) -> None:
    run(link, "t")
    drop = native(link, "DROP CONSTRAINT t_pkey", "DROP PRIMARY KEY")
    on_source(link, f"ALTER TABLE t {drop}, ADD PRIMARY KEY (id, name)", "INSERT INTO t VALUES (1, 'more', 3, NULL)")
    wait_until(lambda: stopped_by(link, "t") == "key-dropped", 30, link.describe)
    link.publisher.kill()
    link.publisher.reports.clear()
    link.publisher.start()
    # Killed before it noted that it left the table out, it captures the new key, which the target does not follow.
    wait_until(lambda: stopped_by(link, "t") in ("capture-interrupted", "key-changed"), 30, link.describe)
    link.generations["t"] = 2
    link.retask()
    wait_until(lambda: link.subscriber.reports["t"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("t", "incremental-running")
    on_source(link, "DELETE FROM t WHERE name = 'one'", "UPDATE t SET amount = 9 WHERE name = 'more'")
    rows = [(1, "more", 9), (2, "two", 2)]
    query = "SELECT id, name, amount FROM t ORDER BY id"
    wait_until(lambda: link.target.rows(query, link.target_database) == rows, 30, link.describe)


def stopped_by(link: Link, table: str) -> str:
    """Why the table stands still, at the source or at the target; empty: it does not."""
    for report in (link.publisher.reports.get(f"p-{table}", {}), link.subscriber.reports[table]):
        if report.get("reason"):
            return str(report["reason"]["facts"].get("reason") or report["reason"]["code"])
    return ""


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres", "postgres-mariadb"])
def test_structure_changes_while_the_subscriber_is_killed(link: Link) -> None:
    run(link, "t")
    link.subscriber.kill()
    rename = native(
        link, "ALTER TABLE t RENAME COLUMN extra TO more", "ALTER TABLE t CHANGE extra more integer DEFAULT 5"
    )
    for number, statements in enumerate(
        (
            ("INSERT INTO t VALUES (3, 'three', 3, 'c')",),
            ("ALTER TABLE t ADD COLUMN extra integer DEFAULT 5", "INSERT INTO t VALUES (4, 'four', 4, 'd', 6)"),
            ("ALTER TABLE t DROP COLUMN note", "INSERT INTO t VALUES (5, 'five', 5, 7)"),
            (rename, "INSERT INTO t VALUES (6, 'six', 6, 8)"),
        ),
        1,
    ):
        on_source(link, *statements)
        # A reader of the log that lies behind a renaming cannot know the names of the rows before it.
        wait_until(lambda n=number: link.publisher.reports["p-t"]["inserts"] >= n, 60, link.describe)
    for _ in range(3):
        link.subscriber.start()
        link.subscriber.kill()
    link.subscriber.start()
    link.wait_until_equal()
    assert names(link, "t") == names(link, "t", "source")


def test_comments_and_defaults(link: Link) -> None:
    run(link, "t")
    on_source(
        link,
        *(
            (
                "COMMENT ON TABLE t IS 'orders''s'",
                "COMMENT ON COLUMN t.note IS 'a note'",
                "ALTER TABLE t ALTER COLUMN note SET DEFAULT 'none'",
            )
            if link.source.kind == "postgresql"
            else (
                "ALTER TABLE t COMMENT = 'orders''s'",
                "ALTER TABLE t MODIFY note varchar(20) DEFAULT 'none' COMMENT 'a note'",
            )
        ),
        "INSERT INTO t (id, name) VALUES (3, 'three')",
    )
    link.wait_until_equal()
    if link.target.kind == "postgresql":
        query = "SELECT obj_description('t'::regclass), col_description('t'::regclass, 4)"
    else:
        query = (
            "SELECT table_comment, column_comment FROM information_schema.tables JOIN information_schema.columns "
            "USING (table_schema, table_name) WHERE table_name = 't' AND column_name = 'note' "
            f"AND table_schema = '{link.target_database}'"
        )
    wait_until(lambda: link.target.rows(query, link.target_database) == [("orders's", "a note")], 30, link.describe)


def rules(link: Link) -> dict[str, tuple[bool, str | None]]:
    """What the target asks of each column and gives those that are left out: (may be NULL, default)."""
    query = (
        "SELECT column_name, is_nullable = 'YES', column_default FROM information_schema.columns "
        "WHERE table_name = 't' AND table_schema = %s"
    )
    schema = "public" if link.target.kind == "postgresql" else link.target_database
    found = link.target.rows(query, link.target_database, (schema,))
    return {str(name): (bool(nullable), plain(default)) for name, nullable, default in found}


def plain(default: str | None) -> str | None:
    """A default's value, however the catalogue writes it."""
    value = (default or "NULL").partition("::")[0].strip("'")
    return None if value == "NULL" else value


def test_the_target_has_the_rules_of_the_source(link: Link) -> None:
    run(link, "t")
    assert rules(link) == {"id": (False, None), "name": (False, None), "amount": (True, None), "note": (True, None)}
    on_source(
        link,
        "ALTER TABLE t ALTER COLUMN amount SET DEFAULT 7",
        "ALTER TABLE t ADD COLUMN word varchar(20) DEFAULT 'it' NOT NULL",
        native(link, "ALTER TABLE t ALTER COLUMN name DROP NOT NULL", "ALTER TABLE t MODIFY name varchar(50) NULL"),
        "INSERT INTO t (id) VALUES (3)",
    )
    set_, opened = {"amount": (True, "7"), "word": (False, "it")}, {"name": (True, None)}
    rest = {"id": (False, None), "note": (True, None)}
    wait_until(lambda: rules(link) == set_ | opened | rest, 30, lambda: f"{rules(link)} {link.describe()}")
    on_source(
        link,
        "UPDATE t SET name = 'three', note = 'n'",
        "ALTER TABLE t ALTER COLUMN amount DROP DEFAULT",
        "ALTER TABLE t ALTER COLUMN word DROP DEFAULT",
        native(
            link,
            "ALTER TABLE t ALTER COLUMN name SET NOT NULL, ALTER COLUMN note SET NOT NULL",
            "ALTER TABLE t MODIFY name varchar(50) NOT NULL, MODIFY note varchar(20) NOT NULL",
        ),
        "INSERT INTO t VALUES (4, 'four', 4, 'd', 'w')",
    )
    closed = {"name": (False, None), "note": (False, None), "word": (False, None), "amount": (True, None)}
    wait_until(lambda: rules(link) == {**rest, **closed}, 30, lambda: f"{rules(link)} {link.describe()}")
    link.wait_until_equal()


def indexes(link: Link) -> dict[str, tuple[str, bool]]:
    """Columns and uniqueness by name, without the primary key."""
    if link.target.kind == "postgresql":
        query = (
            "SELECT c.relname, string_agg(a.attname, ',' ORDER BY array_position(i.indkey::int2[], a.attnum)), "
            "i.indisunique FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_attribute a "
            "ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) "
            "WHERE i.indrelid = 't'::regclass AND NOT i.indisprimary GROUP BY 1, 3"
        )
    else:
        query = (
            "SELECT index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index), non_unique = 0 "
            "FROM information_schema.statistics WHERE table_name = 't' AND index_name <> 'PRIMARY' "
            f"AND table_schema = '{link.target_database}' GROUP BY 1, 3"
        )
    found = {
        str(name): (str(columns), bool(unique))
        for name, columns, unique in link.target.rows(query, link.target_database)
    }
    return {name.removeprefix("t_"): what for name, what in found.items()}


def test_indexes_are_made_after_the_load_and_followed(link: Link) -> None:
    mysql = link.source.kind == "mysql"
    on_source(
        link,
        "CREATE TABLE t (id integer PRIMARY KEY, name varchar(50), amount integer, note text)",
        "INSERT INTO t VALUES (1, 'one', 1, 'a'), (2, 'two', 2, NULL)",
        "CREATE INDEX by_amount ON t (amount, name)",
        "CREATE UNIQUE INDEX by_name ON t (name)",
        f"CREATE INDEX by_note ON t ({'note(7)' if mysql else 'note'})",
    )
    link.tables["t"] = {"ddl": DdlMode.FOLLOW, "indexes": True}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    link.wait_until_equal()
    same = link.source.kind == link.target.kind
    unique = same or link.target.kind == "postgresql"
    wanted = {"by_amount": ("amount,name", False), "by_name": ("name", unique)}
    if same or not mysql:  # the beginning of a text is nothing that PostgreSQL orders by
        wanted["by_note"] = ("note", False)
    assert indexes(link) == wanted
    on_source(
        link,
        f"DROP INDEX by_name{' ON t' if mysql else ''}",
        "ALTER TABLE t RENAME INDEX by_amount TO of_amount" if mysql else "ALTER INDEX by_amount RENAME TO of_amount",
        "ALTER TABLE t CHANGE amount total integer" if mysql else "ALTER TABLE t RENAME COLUMN amount TO total",
        "CREATE INDEX by_total ON t (total)",
        "INSERT INTO t VALUES (3, 'three', 3, 'c')",
    )
    link.wait_until_equal()
    wanted = {"of_amount": ("total,name", False), "by_total": ("total", False)} | {
        name: what for name, what in wanted.items() if name == "by_note"
    }
    wait_until(lambda: indexes(link) == wanted, 30, lambda: f"{indexes(link)} {link.describe()}")
    assert link.subscriber.reports["t"]["state"] == "incremental-running"
