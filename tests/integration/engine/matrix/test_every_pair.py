"""Every kind of source to every kind of target through the bus: load and changes of each side's own."""

from collections.abc import Iterable

import pytest
from tests.integration.engine.matrix.kinds import DESTINATIONS, NAMED, ORIGINS, REFUSED, Pair, every_pair, walk
from tests.integration.engine.matrix.rows import TEN, Row, Rows, changed, fresh, ordered
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Read, listed
from tests.integration.engine.running import Link, connection, schema_of, wait_until

from zcbus.connectors.registry import KINDS
from zcbus.engine.connections import registered
from zcbus.engine.requests.precheck import precheck
from zcbus.engine.requests.watch import Watch
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.requests import PlannedTable, Precheck

pytestmark = pytest.mark.server
LOADED = 200


def test_every_kind_has_a_case_and_is_walked() -> None:
    sources = {kind for kind, entry in KINDS.items() if entry.spec.source} - NAMED
    targets = {kind for kind, entry in KINDS.items() if entry.spec.target} - NAMED
    assert (sources, targets) == (set(ORIGINS), set(DESTINATIONS)), "give it a case"
    assert ({source for source, _ in walk()}, {target for _, target in walk()}) == (sources, targets)


@pytest.mark.parametrize("kinds", every_pair(), ids="-".join)
def test_rows_and_changes_arrive(link: Link, kinds: Pair, origin: Origin, destination: Destination) -> None:
    rows, later = fresh(1, LOADED), {}
    origin.make(link)
    if origin.keeps:
        origin.insert(link, rows)
    else:
        rows, later = {}, rows
    link.set_tasks()
    with destination.reading(link) as read:
        refused = refusals(link)
        assert {one.code for one in refused} == REFUSED.get(kinds, frozenset()), refused
        if refused:
            return
        link.start()
        link.wait_for_state(TABLE, "incremental-running", 120)
        wait_for(link, read, rows)
        change(link, origin, rows, later)
        wait_for(link, read, rows)
        assert_settled(link)


def refusals(link: Link) -> list[Reason]:
    """What the pre-check has against the table."""
    fields = link.tables[TABLE]
    source = fields.get("source", TableRef(schema_name=schema_of(link.source, link.source_database), table=TABLE))
    request = Precheck(
        source=connection(link.source, link.source_database),
        target=connection(link.target, link.target_database),
        tables=(
            PlannedTable(
                source=source,
                target=TableRef(schema_name=schema_of(link.target, link.target_database), table=TABLE),
                key=fields.get("key", ()),
            ),
        ),
    )
    findings = precheck(request, registered, link.bus, Watch()).findings
    return [one.reason for one in findings if one.level == "error"]


def change(link: Link, origin: Origin, rows: Rows, later: Rows) -> None:
    """What the source sees of inserts, updates and deletes; `rows` become what it has then."""
    added = later | fresh(LOADED + 1, 2 * TEN)
    origin.insert(link, added)
    rows |= added
    if origin.updates:
        others = changed(rows[number] for number in range(1, TEN + 1))
        origin.update(link, others)
        rows |= others
    if origin.deletes:
        gone = {number: rows.pop(number) for number in range(2 * TEN + 1, 3 * TEN + 1)}
        origin.delete(link, gone)


def wait_for(link: Link, read: Read, rows: Rows) -> None:
    """Until the target has them."""
    wanted = listed(rows)
    wait_until(lambda: ordered(read()) == wanted, 90, lambda: difference(ordered(read()), wanted) + link.describe())


def difference(found: Iterable[Row], wanted: Iterable[Row]) -> str:
    """For a failed wait."""
    there, here = set(found), set(wanted)
    return f"missing {sorted(here - there)[:3]}, extra {sorted(there - here)[:3]}\n"


def assert_settled(link: Link) -> None:
    """Nothing is wrong with either side, and both end in order."""
    link.wait_for_state(TABLE, "incremental-running")
    assert link.publisher.reports[f"p-{TABLE}"]["state"] == "incremental-release"
    assert link.subscriber.reports[TABLE]["row_errors"] == 0
    assert (link.subscriber.stop(), link.publisher.stop()) == (0, 0)
