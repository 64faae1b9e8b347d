"""Order of turns: no table starves, and none is verified without need."""

from datetime import UTC, datetime, timedelta

from zcbus.engine.verification.turns import FRESH, RECHECK_AFTER, Turn, next_turn

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def ago(span: timedelta) -> datetime:
    return NOW - span


def chosen(*turns: Turn) -> str | None:
    found = next_turn(turns, NOW)
    return found.table if found else None


def test_the_table_that_waited_longest_comes_first() -> None:
    hour, day = timedelta(hours=1), timedelta(days=1)
    assert chosen(Turn("a", False, ago(hour)), Turn("b", False, ago(day)), Turn("c", False, ago(hour))) == "b"
    assert chosen(Turn("a", False, ago(day)), Turn("new")) == "new"


def test_a_large_table_lets_others_have_their_turns() -> None:
    turns = {name: Turn(name) for name in ("large", "b", "c")}
    order = []
    for minute in range(6):
        now = NOW + timedelta(minutes=minute)
        turn = next_turn(turns.values(), now)
        assert turn is not None
        order.append(turn.table)
        finished = None if turn.table == "large" else now
        turns[turn.table] = Turn(turn.table, False, now, finished)
    assert order == ["large", "b", "c", "large", "large", "large"]


def test_rows_that_are_read_once_more_do_not_wait_for_all_other_tables() -> None:
    assert chosen(Turn("a"), Turn("b", False, NOW, settles=True)) == "b"


def test_requested_tables_come_first() -> None:
    assert chosen(Turn("a", False, None), Turn("b", True, NOW, NOW)) == "b"


def test_a_table_verified_just_now_is_not_due() -> None:
    young = ago(FRESH / 2)
    assert chosen(Turn("a", False, young, young)) is None
    assert chosen(Turn("a", False, ago(FRESH), ago(FRESH))) == "a"


def test_rows_that_differ_are_rechecked_soon() -> None:
    soon = ago(RECHECK_AFTER)
    assert chosen(Turn("a", False, soon, soon, differs=True)) == "a"
    assert chosen(Turn("a", False, ago(RECHECK_AFTER / 2), soon, differs=True)) is None


def test_a_clock_that_was_set_back_holds_nothing_up() -> None:
    later = NOW + timedelta(days=1)
    assert chosen(Turn("a", False, later, later)) == "a"
