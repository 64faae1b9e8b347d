"""The book of captures: what is missing is never forgotten, unless a new snapshot or a user's decision settles it."""

from pathlib import Path

import pytest

from zcbus.bus.contract import Bus
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.connectors.source_log import SourceLog
from zcbus.engine.capture_history import CaptureHistory, TopicPosition
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import PublishedTable

LOG = SourceLog("log")
REACHED = Position(0, 5)
ORDERS = PublishedTable(id="o", source=TableRef(schema_name="s", table="orders"), generation=1)
AGAIN, ACCEPTED = ORDERS.model_copy(update={"generation": 2}), ORDERS.model_copy(update={"gap": 1})


@pytest.fixture
def bus(tmp_path: Path) -> Bus:
    return EmbeddedBus(tmp_path)


def book(bus: Bus) -> CaptureHistory:
    """As a new process reads it."""
    return CaptureHistory(bus, "n")


def test_an_interrupted_table_stays_so_until_a_load_or_an_accepted_gap(bus: Bus) -> None:
    book(bus).capturing([ORDERS], LOG, TopicPosition(7, 70))
    assert not book(bus).interrupted(ORDERS, snapshot_begun=True)
    assert not book(bus).new_since_capture(ORDERS)
    book(bus).abandon(REACHED)
    assert book(bus).interrupted(ORDERS, snapshot_begun=True)
    assert book(bus).since("o", 0) is None
    for way_on in (AGAIN, ACCEPTED):
        assert book(bus).new_since_capture(way_on)
        assert not book(bus).interrupted(way_on, snapshot_begun=way_on is ACCEPTED)


def test_captures_after_a_gap_are_recorded_until_captured(bus: Bus) -> None:
    book(bus).capturing([ORDERS], LOG, TopicPosition(7, 70))
    assert book(bus).resumed([AGAIN]) == {}
    book(bus).exclude({"o"}, REACHED)
    for way_on in (AGAIN, ACCEPTED):
        assert book(bus).resumed([way_on]) == {"o": ORDERS.generation}
    book(bus).capturing([AGAIN], LOG, TopicPosition(9, 90))
    assert book(bus).resumed([AGAIN]) == {}


def test_an_acceptance_covers_one_gap(bus: Bus) -> None:
    for _ in range(2):
        book(bus).capturing([ACCEPTED], LOG, TopicPosition(9, 90))
        assert not book(bus).interrupted(ACCEPTED, snapshot_begun=True)
    book(bus).exclude({"o"}, REACHED)
    assert book(bus).interrupted(ACCEPTED, snapshot_begun=True)


def test_subscribers_find_where_the_capture_began_that_follows_a_gap(bus: Bus) -> None:
    book(bus).capturing([ORDERS], LOG, TopicPosition(7, 70))
    book(bus).capturing([ORDERS], SourceLog("other", 1), TopicPosition(8, 80))
    assert (book(bus).since("o", 0), book(bus).since("o", 1)) == (TopicPosition(7, 70), None)
    book(bus).abandon(REACHED)
    book(bus).capturing([ACCEPTED], LOG, TopicPosition(1, 10))
    assert (book(bus).since("o", 0), book(bus).since("o", 1)) == (TopicPosition(1, 10), TopicPosition(1, 10))


def test_a_table_that_was_away_is_not_captured_as_if_nothing_had_been(bus: Bus) -> None:
    book(bus).capturing([], LOG, TopicPosition(3))
    assert book(bus).interrupted(ORDERS, snapshot_begun=True)
    assert not book(bus).interrupted(ORDERS, snapshot_begun=False)


def test_servers_are_numbered_in_the_order_they_were_captured_from(bus: Bus) -> None:
    assert book(bus).log_of("a") == SourceLog("a", 0)
    for number, identity in enumerate(["a", "b", "a"]):
        book(bus).capturing([ORDERS], book(bus).log_of(identity), TopicPosition(7, 70))
        assert book(bus).log == book(bus).log_of(identity) == SourceLog(identity, number)


def test_how_far_the_changes_of_a_table_went_is_known_by_its_name_until_it_is_captured_again(bus: Bus) -> None:
    name, others = TableName("s", "orders"), ORDERS.model_copy(update={"id": "x"})
    book(bus).capturing([ORDERS], LOG, TopicPosition(7, 70))
    assert book(bus).gap_starts([ORDERS, others]) == {}
    # Taken out of the publication, and published again as another.
    book(bus).capturing([], LOG, TopicPosition(8, 80), REACHED)
    assert book(bus).gap_starts([others]) == {name: REACHED}
    book(bus).capturing([others], LOG, TopicPosition(9, 90), Position(0, 6))
    assert book(bus).gap_starts([ORDERS, others]) == {}
    book(bus).abandon(None)
    book(bus).capturing([], LOG, TopicPosition(9, 90), Position(0, 7))
    assert book(bus).gap_starts([others]) == {name: None}
