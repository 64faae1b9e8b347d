"""Facts of the registry that need no connection to a source."""

import pytest

from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import GROUPS
from zcbus.model.position import Position
from zcbus.model.row_errors import cause_of


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


@pytest.mark.parametrize(
    ("kind", "detail", "cause"),
    [
        (
            "mysql",
            "1062: Duplicate entry 'it''s 7' for key 'orders.once'",
            "1062: Duplicate entry … for key 'orders.once'",
        ),
        ("tidb", "1406: Data too long for column 'name' at row 3", "1406: Data too long for column 'name' at row …"),
        (
            "mysql",
            "1366: Incorrect integer value: 'a' for column 'n' at row 1",
            "1366: Incorrect integer value: … for column 'n' at row …",
        ),
        ("postgresql", 'invalid input syntax for type integer: "abc"', "invalid input syntax for type integer: …"),
        (
            "postgresql",
            'duplicate key value violates unique constraint "once"; Key (name)=(x; y) already exists.',
            'duplicate key value violates unique constraint "once"…',
        ),
        (
            "postgresql",
            'null value in column "amount" violates not-null constraint',
            'null value in column "amount" violates not-null constraint',
        ),
        # What another kind has to say after a semicolon is no value.
        ("clickhouse", "Int32 to String; load the table again", "Int32 to String; load the table again"),
    ],
    ids=range(7),
)
def test_the_values_in_a_kinds_messages_give_way(kind: str, detail: str, cause: str) -> None:
    assert cause_of(detail, KINDS[kind].spec.row_values) == cause


def test_every_group_has_a_kind() -> None:
    """And each kind is of a group: the type dialog offers neither an empty group nor a kind that nothing runs."""
    assert {entry.spec.group for entry in KINDS.values()} == set(GROUPS)


def test_every_kind_has_a_picture_of_its_own() -> None:
    """But for the one kind of a group, which has the group's."""
    pictures = [entry.spec.picture or entry.spec.group for entry in KINDS.values()]
    assert len(set(pictures)) == len(pictures)
