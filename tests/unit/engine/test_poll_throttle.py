"""How often the bus is asked for tables that wait."""

import pytest

from zcbus.engine.subscribe.table_jobs import PollThrottle


def test_polls_are_frequent_at_first_then_spread_over_the_waiting_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("zcbus.engine.subscribe.table_jobs.time.monotonic", lambda: now)
    asking, asked = PollThrottle(), []
    asking.waiting = 2_000
    for number in range(100):
        now = 100.0 + number / 4
        if asking.may("a"):
            asked.append(number / 4)
    assert asked == [0, 2, 6, 14, 24]
    assert asking.may("another")
    asking.begun("a")
    now += 20
    assert asking.may("a")
    now += 2
    assert asking.may("a")
    asking.soon("a")
    assert asking.may("a")
