"""Every kind of source to every kind of target through the bus: load and changes of each side's own."""

import signal
from collections.abc import Iterable

import pytest
from tests.integration.engine.matrix.kinds import (
    DESTINATIONS,
    NAMED,
    ORIGINS,
    REFUSED,
    Pair,
    every_pair,
    walk,
)
from tests.integration.engine.matrix.rows import TEN, Row, Rows, changed, fresh, ordered
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Read, Run, listed
from tests.integration.engine.running import connection, schema_of, wait_until

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.registry import KINDS
from zcbus.engine.connections import registered
from zcbus.engine.requests.precheck import precheck
from zcbus.engine.requests.watch import Watch
from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.requests import PlannedTable, Precheck

pytestmark = pytest.mark.server
LOADED = 200
JAVA = frozenset({"h2", "hsqldb", "derby"})
"""Kinds whose virtual machine now and then aborts as its process ends, when all is written."""


def test_every_kind_has_a_case_and_is_walked() -> None:
    sources = {kind for kind, entry in KINDS.items() if entry.spec.source} - NAMED
    targets = {kind for kind, entry in KINDS.items() if entry.spec.target} - NAMED
    assert (sources, targets) == (set(ORIGINS), set(DESTINATIONS)), "give it a case"
    assert ({source for source, _ in walk()}, {target for _, target in walk()}) == (sources, targets)


@pytest.mark.parametrize("kinds", every_pair(), ids="-".join)
def test_rows_and_changes_arrive(run: Run, kinds: Pair, origin: Origin, destination: Destination) -> None:
    rows, later = fresh(1, LOADED), {}
    origin.make(run)
    if origin.keeps:
        origin.insert(run, rows)
    else:
        rows, later = {}, rows
    run.set_tasks()
    with destination.reading(run) as read:
        refused = refusals(run)
        assert {one.code for one in refused} == REFUSED.get(kinds, frozenset()), refused
        if refused:
            return
        run.start()
        run.wait_for_state(TABLE, "incremental-running", 120)
        wait_for(run, read, rows)
        change(run, origin, rows, later)
        wait_for(run, read, rows)
        assert_settled(run, kinds)


def refusals(run: Run) -> list[Reason]:
    """What the pre-check has against the table."""
    fields = run.tables[TABLE]
    source = fields.get("source", TableRef(schema_name=schema_of(run.source, run.source_database), table=TABLE))
    request = Precheck(
        source=connection(run.source, run.source_database),
        target=connection(run.target, run.target_database),
        tables=(
            PlannedTable(
                source=source,
                target=TableRef(schema_name=schema_of(run.target, run.target_database), table=TABLE),
                key=fields.get("key", ()),
            ),
        ),
    )
    found: list[Finding] = []

    def is_checked() -> bool:
        try:
            found[:] = precheck(request, registered, run.bus, Watch()).findings
        except SourceUnavailable:  # a file may have been written too recently to be read
            return False
        return True

    wait_until(is_checked, 60)
    return [one.reason for one in found if one.level == "error"]


def change(run: Run, origin: Origin, rows: Rows, later: Rows) -> None:
    """What the source sees of inserts, updates and deletes; `rows` become what it has then."""
    added = later | fresh(LOADED + 1, 2 * TEN)
    origin.insert(run, added)
    rows |= added
    if origin.updates:
        others = changed(rows[number] for number in range(1, TEN + 1))
        origin.update(run, others)
        rows |= others
    if origin.deletes:
        gone = {number: rows.pop(number) for number in range(2 * TEN + 1, 3 * TEN + 1)}
        origin.delete(run, gone)


def wait_for(run: Run, read: Read, rows: Rows) -> None:
    """Until the target has them."""
    wanted = listed(rows)
    wait_until(lambda: ordered(read()) == wanted, 90, lambda: difference(ordered(read()), wanted) + run.describe())


def difference(found: Iterable[Row], wanted: Iterable[Row]) -> str:
    """For a failed wait."""
    there, here = set(found), set(wanted)
    return f"missing {sorted(here - there)[:3]}, extra {sorted(there - here)[:3]}\n"


def assert_settled(run: Run, kinds: Pair) -> None:
    """Nothing is wrong with either side, and both end in order."""
    run.wait_for_state(TABLE, "incremental-running")
    assert run.publisher.reports[f"p-{TABLE}"]["state"] == "incremental-release"
    assert run.subscriber.reports[TABLE]["row_errors"] == 0
    ends = (run.publisher.stop(), run.subscriber.stop())
    for kind, end in zip(kinds, ends, strict=True):
        assert end == 0 or (kind in JAVA and end == -signal.SIGABRT), ends
