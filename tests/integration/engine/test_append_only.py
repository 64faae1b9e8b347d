"""Tables without any key, published append-only: every row arrives once, and nothing that needs a key is guessed."""

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until
from tests.integration.engine.test_comparison import comparison
from tests.integration.engine.test_row_errors import decide, errors

from zcbus.engine.reasons import TableStopped
from zcbus.model.comparison import ComparisonState
from zcbus.model.row_errors import NOT_APPENDED, Decision, RowErrorStatus
from zcbus.protocol.tasks import Begin
from zcbus.protocol.transforms import ColumnMask, Transform

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


def create(link: Link, *statements: str, **fields: object) -> None:
    """A table without a key; every row is there twice, and one of them has no values."""
    on_source(link, "CREATE TABLE notes (number integer, word varchar(100), amount decimal(12,2))")
    if link.source.kind == "postgresql":
        on_source(link, "ALTER TABLE notes REPLICA IDENTITY FULL")
    add(link, 0, 1000)
    add(link, 0, 1000)
    on_source(link, "INSERT INTO notes VALUES (NULL, NULL, NULL), (NULL, NULL, NULL)", *statements)
    link.tables["notes"] = {"append_only": True, **fields}
    link.set_tasks()


def add(link: Link, start: int, count: int) -> None:
    rows = ", ".join(f"({number}, 'word {number} 名', {number}.25)" for number in range(start, start + count))
    on_source(link, f"INSERT INTO notes VALUES {rows}")


def run(link: Link, *statements: str, **fields: object) -> None:
    create(link, *statements, **fields)
    link.start()
    link.wait_for_state("notes", "incremental-running")
    link.wait_until_equal()


def count(link: Link) -> int:
    return int(link.target.rows("SELECT count(*) FROM notes", link.target_database)[0][0])


@pytest.mark.soak(but=["postgres-mariadb"])
def test_each_row_arrives_once_though_the_workers_are_killed(link: Link) -> None:
    create(link)
    for start in range(0, 60_000, 5_000):
        add(link, start, 5_000)
    link.start()
    wait_until(lambda: "p-notes" in link.publisher.reports, 60, link.describe)
    for number in range(6):
        add(link, 7 * number, 50)
        worker = (link.publisher, link.subscriber)[number % 2]
        worker.kill()
        worker.start()
        add(link, 7 * number, 50)
        if number == 3:
            wait_until(lambda: count_there(link) > 0, 60, link.describe)
    link.wait_for_state("notes", "incremental-running", 120)
    for number in range(4):
        add(link, 7 * number, 300)
        link.subscriber.kill()
        link.subscriber.start()
    link.wait_until_equal(120)
    assert count(link) == 2_002 + 60_000 + 12 * 50 + 4 * 300


def count_there(link: Link) -> int:
    return count(link) if link.target_has("notes") else 0


def test_updates_and_deletes_become_row_errors_and_the_rest_flows(link: Link) -> None:
    run(link)
    on_source(
        link,
        "UPDATE notes SET word = 'changed' WHERE number = 3",
        "DELETE FROM notes WHERE number = 4",
        "UPDATE notes SET amount = 1 WHERE number IS NULL",
    )
    add(link, 5000, 100)
    wait_until(lambda: count(link) == 2_102, 60, link.describe)
    wait_until(lambda: len(errors(link)) == 6, 60, link.describe)
    link.wait_for_state("notes", "incremental-running")
    found = errors(link)
    assert {(error.code, error.detail) for error in found} == {("append-only", NOT_APPENDED)}
    assert sorted(error.operation.value for error in found) == ["delete"] * 2 + ["update"] * 4
    changed = [error for error in found if error.after.get("word") == "changed"]
    assert [error.before for error in changed] == [{"number": "3", "word": "word 3 名", "amount": "3.25"}] * 2
    assert changed[0].key == changed[0].before
    assert changed[0].statement.startswith("UPDATE ")
    assert "IS NULL" in next(error.statement for error in found if error.before["number"] is None)
    figures = {"inserts": 100, "updates": 4, "deletes": 2, "row_errors": 6}
    wait_until(lambda: figures.items() <= link.subscriber.reports["notes"].items(), 30, link.describe)
    words = link.target.rows("SELECT word FROM notes WHERE number IN (3, 4) ORDER BY 1", link.target_database)
    assert words == [("word 3 名",), ("word 3 名",), ("word 4 名",), ("word 4 名",)]


def test_a_row_error_of_such_a_table_can_only_be_skipped(link: Link) -> None:
    run(link)
    on_source(link, "DELETE FROM notes WHERE number = 4")
    wait_until(lambda: len(errors(link)) == 2, 60, link.describe)
    one, other = (error.id for error in errors(link))
    assert decide(link, Decision.SKIP, one) == 1
    assert decide(link, Decision.RETRY, other) == 0
    wait_until(lambda: not errors(link, RowErrorStatus.PROCESSING), 30, link.describe)
    wait_until(lambda: len(errors(link, RowErrorStatus.NOT_PROCESSED)) == 1, 30, link.describe)
    assert errors(link, RowErrorStatus.NOT_PROCESSED)[0].code == "append-only"
    assert count(link) == 2_002


def test_a_table_stands_still_where_no_more_may_be_passed_over(link: Link) -> None:
    run(link, error_limit=1)
    on_source(link, "DELETE FROM notes WHERE number = 4")
    add(link, 5000, 1)
    link.wait_for_state("notes", "incremental-error")
    assert link.subscriber.reports["notes"]["reason"]["code"] == "row-errors-over-limit"
    assert count(link) == 2_002
    blocking = next(error.id for error in errors(link) if error.blocking)
    assert decide(link, Decision.SKIP, blocking) == 1
    wait_until(lambda: count(link) == 2_003, 60, link.describe)


def test_rows_that_the_target_refuses_are_found(link: Link) -> None:
    run(link)
    on_target(link, "ALTER TABLE notes ADD CONSTRAINT small CHECK (number < 10000)")
    add(link, 5000, 300)
    on_source(link, "INSERT INTO notes VALUES (20000, 'large', 1)")
    wait_until(lambda: len(errors(link)) == 1, 60, link.describe)
    wait_until(lambda: count(link) == 2_302, 60, link.describe)
    refused = errors(link)[0]
    assert (refused.operation, refused.after["number"], refused.before) == ("insert", "20000", {})
    assert decide(link, Decision.RETRY, refused.id, after={"number": "9999"}) == 1
    wait_until(lambda: count(link) == 2_303, 60, link.describe)


def test_a_truncate_needs_no_key(link: Link) -> None:
    run(link)
    on_source(link, "TRUNCATE TABLE notes")
    add(link, 5000, 10)
    wait_until(lambda: count(link) == 10, 60, link.describe)
    link.wait_until_equal()


def test_a_column_that_comes_is_followed(link: Link) -> None:
    run(link, ddl="follow")
    on_source(link, "ALTER TABLE notes ADD COLUMN more varchar(20)")
    on_source(link, "INSERT INTO notes VALUES (1, 'a', 1, 'b'), (1, 'a', 1, 'b')")
    link.wait_until_equal()


def test_loading_again_with_a_shadow_table_or_cleaned_gives_the_source_s_rows(link: Link) -> None:
    run(link)
    on_source(link, "DELETE FROM notes WHERE number = 4")
    wait_until(lambda: len(errors(link)) == 2, 60, link.describe)
    link.generations["notes"] = 2
    link.tables["notes"]["begin"] = Begin(mode="full", beside=True)
    link.retask()
    link.wait_until_equal()
    link.wait_for_state("notes", "incremental-running")
    wait_until(lambda: {error.status for error in errors(link)} == {RowErrorStatus.SUCCESS}, 30, link.describe)
    link.generations["notes"] = 3
    del link.tables["notes"]["begin"]
    link.retask()
    wait_until(lambda: link.subscriber.reports["notes"]["generation"] == 3, 30, link.describe)
    link.wait_for_state("notes", "incremental-running")
    link.wait_until_equal()


def test_a_table_of_others_gets_all_rows_once_more(link: Link) -> None:
    on_target(link, "CREATE TABLE notes (number integer, word varchar(100), amount decimal(12,2))")
    on_target(link, "INSERT INTO notes VALUES (-1, 'theirs', 0)")
    create(link)
    link.start()
    link.wait_for_state("notes", "incremental-running")
    assert count(link) == 2_003
    link.generations["notes"] = 2
    link.retask()
    wait_until(lambda: count(link) == 4_005, 60, link.describe)


@pytest.mark.soak(but=["mariadb-postgres"])
def test_comparing_an_append_only_table_is_refused_with_its_reason(link: Link) -> None:
    run(link)
    with pytest.raises(TableStopped) as refused:
        comparison(link, "notes").compare()
    assert refused.value.reason.code == "append-only-not-compared"
    assert counted(link) == (0, 0, 0)
    on_source(link, "DELETE FROM notes WHERE number = 4")
    on_target(link, "DELETE FROM notes WHERE number BETWEEN 10 AND 12")
    wait_until(lambda: len(errors(link)) == 2, 60, link.describe)
    assert counted(link) == (4, 0, 0)
    on_target(link, "INSERT INTO notes SELECT * FROM notes WHERE number IS NULL OR number < 5")
    assert counted(link) == (0, 8, 0)
    add(link, 10, 50)
    assert counted(link) == (0, 8, 0)


def counted(link: Link) -> tuple[int, int, int]:
    record = comparison(link, "notes", method="count").compare()
    assert record.state is ComparisonState.DONE
    return record.missing, record.extra, record.unsettled


def test_rows_are_masked_and_filtered_on_the_way(link: Link) -> None:
    masked = ColumnMask(column="word", method="hash")
    create(link, "INSERT INTO notes VALUES (1, 'more', 1)", transform=Transform(where="number < 10", masks=(masked,)))
    link.start()
    link.wait_for_state("notes", "incremental-running")
    assert count(link) == 21
    on_source(link, "INSERT INTO notes VALUES (2, 'new', 1), (2000, 'new', 1)", "DELETE FROM notes WHERE number = 500")
    wait_until(lambda: count(link) == 22, 60, link.describe)
    on_source(link, "DELETE FROM notes WHERE number = 9")
    wait_until(lambda: len(errors(link)) == 2, 60, link.describe)
    assert {error.before["number"] for error in errors(link)} == {"9"}
    assert not any("word" in (error.before["word"] or "") for error in errors(link))
    assert link.target.rows("SELECT word FROM notes WHERE word LIKE '%word%'", link.target_database) == []
    assert counted(link) == (0, 2, 0)
