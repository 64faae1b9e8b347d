"""Deferrable keys: rows may share one within a transaction, so they do not identify rows change by change."""

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server"), ("postgres_server", "mariadb_server")]

ROWS = ", ".join(f"({number}, 'c{number}', {number})" for number in range(1, 6))


def create(link: Link, *keys: str) -> None:
    """A table `ks` with these keys and five rows."""
    on_source(
        link,
        f"CREATE TABLE ks (id integer NOT NULL, code varchar(9) NOT NULL, v integer NOT NULL, {', '.join(keys)})",
        "ALTER TABLE ks REPLICA IDENTITY FULL",
        f"INSERT INTO ks VALUES {ROWS}",
    )


def start(link: Link, **fields: object) -> None:
    link.tables["ks"] = {"clean": "none", **fields}
    link.set_tasks()
    link.start()


def refusal(link: Link) -> dict[str, str]:
    """Why the publisher does not capture the table."""
    wait_until(lambda: bool((link.publisher.reports.get("p-ks") or {}).get("reason")), 30, link.describe)
    reason = link.publisher.reports["p-ks"]["reason"]
    return {"code": reason["code"], **reason["facts"]}


@pytest.mark.parametrize("key", ["PRIMARY KEY (id)", "UNIQUE (id)"])
def test_a_deferrable_key_does_not_identify_rows(link: Link, key: str) -> None:
    """Before, `UPDATE ks SET id = id + 1` left one of five rows in the target."""
    create(link, f"{key} DEFERRABLE")
    start(link)
    assert refusal(link)["code"] == "table-without-key"


def test_a_chosen_key_that_only_a_deferrable_constraint_keeps_unique_is_refused(link: Link) -> None:
    create(link, "CONSTRAINT ks_key PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED")
    start(link, key=("id", "v"))
    found = refusal(link)
    assert (found["code"], found["reason"], found["column"]) == ("table-refused", "key-deferrable", "id")
    on_source(link, found["remedy"])
    link.publisher.kill()
    link.publisher.reports.clear()
    link.publisher.start()
    link.wait_for_state("ks", "incremental-running")
    on_source(link, "UPDATE ks SET v = v * 10 WHERE id < 3")
    link.wait_until_equal()


def test_rows_are_identified_by_another_key(link: Link) -> None:
    create(link, "PRIMARY KEY (id) DEFERRABLE", "UNIQUE (code)")
    start(link)
    link.wait_for_state("ks", "incremental-running")
    on_source(
        link,
        "UPDATE ks SET id = id + 1",
        "UPDATE ks SET id = CASE id WHEN 2 THEN 3 ELSE 2 END WHERE id IN (2, 3)",
        "DELETE FROM ks WHERE id = 6",
    )
    link.wait_until_equal()


@pytest.mark.parametrize("constraint", ["DEFERRABLE", "DEFERRABLE INITIALLY DEFERRED"])
def test_the_target_table_has_a_deferrable_key(link: Link, pair: tuple[str, str], constraint: str) -> None:
    if pair[1] != "postgres_server":
        constraint = ""  # other databases have no deferrable keys
    create(link, "PRIMARY KEY (id)", "UNIQUE (code)")
    on_target(
        link,
        "CREATE TABLE ks (id integer, code varchar(9) NOT NULL, v integer, "
        f"PRIMARY KEY (id) {constraint}, UNIQUE (code) {constraint})",
        "INSERT INTO ks VALUES (2, 'c2', 99), (4, 'c4', 99)",
    )
    start(link)
    link.wait_for_state("ks", "incremental-running")
    link.wait_until_equal()
    on_source(
        link,
        "INSERT INTO ks VALUES (6, 'c6', 6)",
        "UPDATE ks SET v = 0 WHERE id > 3",
        "BEGIN; DELETE FROM ks WHERE id = 1; UPDATE ks SET id = 1 WHERE id = 2; UPDATE ks SET id = 2 WHERE id = 3; END",
    )
    link.wait_until_equal()
