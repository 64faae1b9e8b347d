"""Every kind of the registry is in the suite, on each of its sides."""

from pathlib import Path

import pytest

from tests.conformance.connectors import acknowledged_case, consumed_case, listed_case
from tests.conformance.connectors.conftest import CASES
from zcbus.connectors.registry import KINDS

TESTS = Path(__file__).resolve().parents[2]
ELSEWHERE = {
    # The one kind with a feed of changes.
    ("delta", "source"): "integration/connectors/test_delta_feed.py",
    # Their session is that of events to HTTP, which is in the suite; their own is how a message is sent.
    ("nats", "target"): "integration/connectors/test_nats_target.py",
    ("mqtt", "target"): "integration/connectors/test_mqtt_target.py",
    ("rabbitmq", "target"): "integration/connectors/test_rabbitmq_target.py",
}
"""Kind and side without a case → where it is proved."""
_IN_ROUNDS_OR_BY_LOG = ("log", "watermark")


def _covered(side: str) -> dict[str, set[str]]:
    """Kind → fixtures of its servers."""
    found: dict[str, set[str]] = {}
    for case, fixture in CASES.values():
        can = KINDS[case.kind].spec.capabilities
        captured = case.is_source and can.capture in _IN_ROUNDS_OR_BY_LOG
        if case.is_target and can.delivery != "none" if side == "target" else captured:
            found.setdefault(case.kind, set()).add(fixture)
    if side == "source":
        for way in (consumed_case.CASES, acknowledged_case.CASES):
            found |= {case.kind: {fixture} for case, fixture in way.values()}
        found |= {kind: {case.folders} for kind, case in listed_case.CASES.items()}
    return found


@pytest.mark.parametrize("side", ["source", "target"])
def test_every_kind_has_a_case(side: str) -> None:
    able = {kind for kind, entry in KINDS.items() if (entry.spec.source if side == "source" else entry.spec.target)}
    elsewhere = {kind: path for (kind, of), path in ELSEWHERE.items() if of == side}
    covered = _covered(side)
    assert covered.keys() | elsewhere.keys() == able
    assert not covered.keys() & elsewhere.keys()
    assert [path for path in elsewhere.values() if not (TESTS / path).exists()] == []


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_kind_that_calls_itself_tested_has_a_server_here(side: str) -> None:
    """Servers that an operator names are for those that do not."""
    named = {kind for kind, servers in _covered(side).items() if all(one.startswith("named_") for one in servers)}
    assert {kind for kind in named if KINDS[kind].spec.tested} == set()


def test_each_way_of_messages_has_the_kinds_that_capture_in_it() -> None:
    repeats = {kind: entry.spec.capabilities.repeats for kind, entry in KINDS.items()}
    acknowledged = {case.kind for case, _ in acknowledged_case.CASES.values()}
    consumed = {case.kind for case, _ in consumed_case.CASES.values()}
    consuming = {kind for kind, entry in KINDS.items() if entry.spec.capabilities.capture == "consume"}
    assert acknowledged == {kind for kind in consuming if repeats[kind]}
    assert consuming - acknowledged <= consumed <= consuming
    listing = {kind for kind, entry in KINDS.items() if entry.spec.capabilities.capture == "list"}
    assert listed_case.CASES.keys() == listing
