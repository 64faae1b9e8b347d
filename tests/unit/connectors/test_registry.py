"""Facts of the registry that need no connection to a source."""

import pytest

from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.planned import PLANNED
from zcbus.connectors.registry import KINDS
from zcbus.model.position import Position


@pytest.mark.parametrize(
    ("kind", "position", "place"),
    [
        ("postgresql", Position(0, 0x16_B374D848), "16/B374D848"),
        ("mysql", Position(42, 379), "000042:379"),
        # After a fail-over: the position in the new server's log.
        ("mysql", LogFile("binlog", 7, log=2).at(4), "000007:4"),
    ],
    ids=["postgresql", "mysql", "mysql-after-fail-over"],
)
def test_positions_are_described_in_the_notation_of_their_kind(kind: str, position: Position, place: str) -> None:
    assert KINDS[kind].place(position) == place


def test_no_kind_is_still_planned() -> None:
    assert not KINDS.keys() & {one.kind for one in PLANNED}


def test_every_kind_has_a_picture_of_its_own() -> None:
    """But for the one kind of a group, which has the group's."""
    pictures = [entry.spec.picture or entry.spec.group for entry in KINDS.values()]
    assert len(set(pictures)) == len(pictures)
