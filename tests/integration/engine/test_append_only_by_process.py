"""Tables without any key on MySQL 8, by a service of type process, whose tables are all transformed."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_append_only import add, create
from tests.integration.engine.test_row_errors import errors

from zcbus.protocol.transforms import ColumnExpression, Transform

pytestmark = pytest.mark.server
PAIRS = [("mysql_server", "mysql_server")]
DOUBLED = ColumnExpression(column="amount", expression="amount * 2")
FEW = Transform(where="number < 5000 OR number IS NULL", expressions=(DOUBLED,))
WANTED = (
    "SELECT number, IF(number = 500, 'word 500 名', word), amount * 2 FROM notes WHERE number < 5000 OR number IS NULL"
)


@pytest.mark.soak
def test_each_row_comes_once_and_transformed_though_the_workers_are_killed(link: Link) -> None:
    create(link, transform=FEW)
    add(link, 10_000, 5_000)  # left out by the condition
    link.subscriber.task = link.subscribe_task().model_copy(update={"type": "process"})
    link.start()
    wait_until(lambda: "p-notes" in link.publisher.reports, 60, link.describe)
    for number in range(4):
        worker = (link.publisher, link.subscriber)[number % 2]
        worker.kill()
        worker.start()
        add(link, number, 200)
        add(link, number, 200)
    link.wait_for_state("notes", "incremental-running")
    on_source(link, "UPDATE notes SET word = 'changed' WHERE number = 500", "DELETE FROM notes WHERE number = 10500")
    add(link, 4_999, 2)
    link.subscriber.kill()
    link.subscriber.start()
    wait_until(lambda: not missing(link), 60, lambda: missing(link))
    wait_until(lambda: len(errors(link)) == 2, 60, link.describe)
    assert {(error.code, error.operation.value) for error in errors(link)} == {("append-only", "update")}


def missing(link: Link) -> str:
    """Empty where the target has what it should have."""
    wanted = sorted(link.source.rows(WANTED, link.source_database), key=repr)
    found = sorted(link.target.rows("SELECT * FROM notes", link.target_database), key=repr)
    return "" if wanted == found else f"{len(found)} rows instead of {len(wanted)}\n{link.describe()}"
