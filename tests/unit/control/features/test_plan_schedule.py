"""Due times of cron in a time zone, above all where the clock is changed."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise

import pytest
from pydantic_core import PydanticCustomError

from zcbus.control.features.task_plan.schedule import MAX_MISSED, due_times, known_zone, next_due, passed, plain_cron

BERLIN = "Europe/Berlin"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def following(cron: str, after: str, count: int, zone: str = BERLIN) -> list[str]:
    return [due.strftime("%m-%d %H:%M") for due in islice(due_times(cron, zone, at(after)), count)]


def test_fields_are_read_in_the_zone() -> None:
    assert following("30 2 * * *", "2026-01-10 00:00", 2) == ["01-10 01:30", "01-11 01:30"]
    assert following("30 2 * * *", "2026-07-10 00:00", 2) == ["07-10 00:30", "07-11 00:30"]
    assert following("0 0 * * 0", "2026-01-01 00:00", 1, "Asia/Shanghai") == ["01-03 16:00"]
    assert following("0 0 * * 7", "2026-01-01 00:00", 1, "Asia/Shanghai") == ["01-03 16:00"]


@pytest.mark.parametrize("cron", ["30 2 * * *", "15,45 2 * * *"])
def test_a_time_that_the_clock_skips_is_due_once_behind_the_gap(cron: str) -> None:
    assert following(cron, "2026-03-28 12:00", 2) == ["03-29 01:00", "03-30 00:30" if "30" in cron else "03-30 00:15"]


def test_a_time_that_comes_twice_is_due_once() -> None:
    assert following("30 2 * * *", "2026-10-24 12:00", 2) == ["10-25 00:30", "10-26 01:30"]
    # Asked in the hour that comes again, which the simulation begins at its first coming.
    assert following("30 2 * * *", "2026-10-25 00:30", 1) == ["10-26 01:30"]
    assert following("30 2 * * *", "2026-10-25 01:10", 1) == ["10-26 01:30"]


def test_repeated_schedules_follow_elapsed_time_over_clock_changes() -> None:
    assert following("*/30 * * * *", "2026-10-24 23:30", 5) == [
        *("10-25 00:00", "10-25 00:30", "10-25 01:00", "10-25 01:30", "10-25 02:00")
    ]
    assert following("*/30 * * * *", "2026-03-29 00:00", 3) == ["03-29 00:30", "03-29 01:00", "03-29 01:30"]


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        *((BERLIN, "2026-03-28"), (BERLIN, "2026-10-24")),
        *(("America/New_York", "2026-03-07"), ("America/New_York", "2026-10-31")),
        *(("Australia/Lord_Howe", "2026-04-04"), ("Australia/Lord_Howe", "2026-10-03")),
    ],
)
@pytest.mark.parametrize("cron", ["0 * * * *", "5 0-3 * * *", "*/20 2 * * *"])
def test_due_times_only_go_forward(zone: str, day: str, cron: str) -> None:
    due = list(islice(due_times(cron, zone, at(f"{day} 00:00")), 30))
    assert due == sorted(set(due))
    # Wherever it is asked from, the next one is the same.
    assert all(next_due(cron, zone, before + timedelta(seconds=1)) == after for before, after in pairwise(due))


def test_due_times_that_passed_without_a_control_plane() -> None:
    first = at("2026-01-01 01:00")
    assert passed("0 2 * * *", BERLIN, first, at("2026-01-01 01:00")) == [first]
    assert passed("0 2 * * *", BERLIN, first, at("2026-01-03 00:59")) == [first, at("2026-01-02 01:00")]
    long = passed("* * * * *", BERLIN, first, at("2029-01-01 00:00"))
    assert (long[0], long[-1]) == (first, at("2029-01-01 00:00"))
    assert len(long) == MAX_MISSED + 1


@pytest.mark.parametrize("wrong", ["", "* * * *", "0 * * * * *", "60 * * * *", "0 0 30 2 *", "a * * * *", "@daily"])
def test_invalid_schedules_are_refused(wrong: str) -> None:
    with pytest.raises(PydanticCustomError):
        plain_cron(wrong)


def test_names_of_zones_and_blanks() -> None:
    assert plain_cron(" 0  2 * *\t1-5 ") == "0 2 * * 1-5"
    assert known_zone("Asia/Shanghai") == "Asia/Shanghai"
    with pytest.raises(PydanticCustomError):
        known_zone("Europe/Atlantis")
