"""The server's log continues the captured one, or the capture is refused."""

from collections.abc import Sequence

import pytest

from tests.support.history import History
from zcbus.connectors.errors import LogPositionLost
from zcbus.connectors.postgresql.capture.lsn import parse_lsn
from zcbus.connectors.postgresql.capture.timeline import check_timeline, ends_in

HISTORY = "1\t0/3000A90\tno recovery target specified\n\n2\t0/5000000\tbefore 2026-11-22 # promoted\n"


class Wire:
    def __init__(self, system: str, timeline: int) -> None:
        self._row = (system, str(timeline), "0/6000000", "db")

    def query(self, sql: str, timeout: float | None = None) -> list[tuple[str | None, ...]]:
        return [self._row] if sql == "IDENTIFY_SYSTEM" else [("00000003.history", HISTORY)]


def walk(steps: Sequence[tuple[str, int, str]]) -> None:
    """Open captures one after the other: system, timeline, captured position."""
    kept = History()
    for system, timeline, position in steps:
        check_timeline(Wire(system, timeline), kept, parse_lsn(position), "postgresql")  # type: ignore[arg-type]


def test_a_promoted_server_continues_where_it_took_over() -> None:
    assert ends_in(HISTORY) == {1: parse_lsn("0/3000A90"), 2: parse_lsn("0/5000000")}
    walk([("7", 1, "0/0"), ("7", 3, "0/3000A90"), ("7", 3, "0/6000000")])
    walk([("7", 2, "0/4000000"), ("7", 3, "0/5000000")])


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([("7", 1, "0/0"), ("7", 3, "0/3000A91")], "timeline 3 left timeline 1 at 0/3000A90"),
        ([("7", 3, "0/0"), ("7", 1, "0/100")], "timeline 1 left timeline 3 at 0/0"),
        ([("7", 1, "0/0"), ("8", 1, "0/100")], "database system 8 answers instead of 7"),
    ],
)
def test_positions_beyond_the_servers_timeline_are_lost(steps: Sequence[tuple[str, int, str]], why: str) -> None:
    with pytest.raises(LogPositionLost) as lost:
        walk(steps)
    assert lost.value.facts["detail"] == why
