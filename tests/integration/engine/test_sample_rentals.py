"""A sample database with pictures, arrays, enums, domains, ranges, sets, triggers and partitions, on all four pairs."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.servers import rentals

pytestmark = pytest.mark.server
KINDS = ("postgres_server", "mariadb_server")
PAIRS = [(source, target) for source in KINDS for target in KINDS]


def differences(link: Link) -> dict[str, str]:
    """By table, the first rows that differ; {}: both sides are equal."""
    found = {}
    for table in rentals.TABLES:
        left = rentals.rows(link.source, link.source_database, table)
        right = rentals.rows(link.target, link.target_database, table)
        if left != right:
            unequal = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1]]
            found[table] = f"{len(left)} and {len(right)} rows: {str(unequal[:1])[:1500]}"
    return found


def refused(link: Link) -> str:
    return str(link.target.rows("SELECT code, detail FROM zcbus_row_error", link.target_database)[:3])


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres", "postgres-mariadb"])
def test_rentals(link: Link) -> None:
    rentals.create(link.source, link.source_database)
    link.tables |= {table: {"indexes": True} for table in rentals.TABLES}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    assert not differences(link)
    on_source(link, *rentals.CHANGES)
    wait_until(lambda: not differences(link), 60, lambda: f"{differences(link)}\n{refused(link)}")
    assert not any(report["row_errors"] for name, report in link.subscriber.reports.items() if name)
