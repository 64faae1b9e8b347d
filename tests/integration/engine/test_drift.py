"""A change of structure that may not, or cannot, be followed: kept with both sides until a user decides."""

import pytest
from tests.integration.engine.running import Link, connection, on_source, wait_until

from zcbus.connectors.registry import connector
from zcbus.engine.requests.row_errors import decide_row_errors, list_row_errors
from zcbus.model.row_errors import OPEN, Decision, RowError, RowErrorStatus
from zcbus.model.states import DdlMode
from zcbus.protocol.requests import DecideRowErrors, ListRowErrors

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


def run(link: Link, ddl: DdlMode, **fields: object) -> None:
    on_source(link, "CREATE TABLE t (id integer PRIMARY KEY, a integer)", "INSERT INTO t VALUES (1, 1)")
    link.tables["t"] = {"ddl": ddl, **fields}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    link.wait_until_equal()


def drifts(link: Link, *statuses: RowErrorStatus) -> list[RowError]:
    task = link.subscribe_task()
    request = ListRowErrors(target=task.target, subscription=task.subscription, statuses=statuses)
    return list(list_row_errors(request, connector).lines)


def open_drifts(link: Link) -> list[RowError]:
    return drifts(link, *OPEN)


def the_drift(link: Link) -> RowError:
    link.wait_for_state("t", "incremental-error")
    wait_until(lambda: len(open_drifts(link)) == 1, 30, link.describe)
    (found,) = open_drifts(link)
    assert (found.operation, found.blocking) == ("ddl", True)
    return found


def decide(link: Link, drift: RowError, decision: Decision) -> None:
    request = DecideRowErrors(
        target=connection(link.target, link.target_database),
        subscription=link.subscribe_task().subscription,
        decision=decision,
        ids=(drift.id,),
    )
    assert decide_row_errors(request, connector).count == 1
    wait_until(lambda: not open_drifts(link), 60, link.describe)
    link.wait_for_state("t", "incremental-running")


@pytest.mark.soak(but=["postgres-mariadb"])
def test_one_change_is_applied_and_another_ignored(link: Link) -> None:
    run(link, DdlMode.STOP)
    on_source(link, "ALTER TABLE t ADD COLUMN b integer DEFAULT 7", "INSERT INTO t VALUES (2, 2, 2)")
    drift = the_drift(link)
    assert (set(drift.before), set(drift.after)) == ({"id", "a"}, {"id", "a", "b"})
    wait_until(lambda: structures(link) == (1, 0, 0), 60, link.describe)
    decide(link, drift, Decision.RETRY)
    link.wait_until_equal()
    on_source(link, "ALTER TABLE t ADD COLUMN c integer", "INSERT INTO t VALUES (3, 3, 3, 3)")
    decide(link, the_drift(link), Decision.SKIP)
    on_source(link, "ALTER TABLE t ADD COLUMN d integer", "INSERT INTO t VALUES (4, 4, 4, 4, 4)")
    drift = the_drift(link)
    assert set(drift.after) - set(drift.before) == {"d"}
    decide(link, drift, Decision.RETRY)
    rows = [(1, 1, 7, None), (2, 2, 2, None), (3, 3, 3, None), (4, 4, 4, 4)]
    wait_until(
        lambda: link.target.rows("SELECT id, a, b, d FROM t ORDER BY id", link.target_database) == rows,
        30,
        link.describe,
    )
    wait_until(lambda: structures(link) == (3, 2, 1), 60, link.describe)
    assert link.subscriber.reports["t"]["last_ddl_at"] is not None


def structures(link: Link) -> tuple[int, int, int]:
    """How many changes of the structure were seen, followed and passed over."""
    report = link.subscriber.reports["t"]
    return report["ddl_seen"], report["ddl_followed"], report["ddl_skipped"]


def retype(link: Link, kind: str) -> str:
    """Gives the column a type that its target cannot follow."""
    if link.source.kind == "postgresql":
        return f"ALTER TABLE t ALTER COLUMN a TYPE {kind} USING a::{kind}"
    return f"ALTER TABLE t MODIFY a {kind}"


def test_so_many_changes_are_skipped_as_are_allowed(link: Link) -> None:
    run(link, DdlMode.FOLLOW, ddl_skip=1, skip_revision=1)
    wait_until(lambda: link.subscriber.reports["t"]["ddl_skip_left"] == 1, 30, link.describe)
    on_source(link, retype(link, "varchar(20)"), "INSERT INTO t VALUES (2, '2')")
    wait_until(lambda: link.subscriber.reports["t"]["ddl_skip_left"] == 0, 30, link.describe)
    wait_until(lambda: target_rows(link) == [(1, 1), (2, 2)], 30, link.describe)
    (skipped,) = drifts(link)
    assert (skipped.status, skipped.note, skipped.code) == ("processed", "skip-count", "schema-not-followed")
    on_source(link, retype(link, "bigint"), "INSERT INTO t VALUES (3, 3)")
    assert the_drift(link).id != skipped.id
    assert target_rows(link) == [(1, 1), (2, 2)]


def target_rows(link: Link) -> list[tuple[int, int]]:
    return link.target.rows("SELECT id, a FROM t ORDER BY id", link.target_database)


def test_a_schema_change_that_cannot_be_followed_can_be_skipped(link: Link) -> None:
    run(link, DdlMode.FOLLOW)
    on_source(link, retype(link, "varchar(20)"), "INSERT INTO t VALUES (2, '2')")
    drift = the_drift(link)
    assert drift.code == "schema-not-followed"
    decide(link, drift, Decision.SKIP)
    wait_until(lambda: target_rows(link) == [(1, 1), (2, 2)], 30, link.describe)
