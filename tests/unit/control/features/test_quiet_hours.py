"""When quiet hours end."""

from datetime import UTC, datetime

import pytest

from zcbus.control.features.notification.quiet import quiet_until

NIGHT = (22 * 60, 7 * 60)
NOON = (12 * 60, 13 * 60 + 30)


@pytest.mark.parametrize(
    ("hours", "zone", "now", "ends"),
    [
        (NOON, "UTC", "2026-01-31T11:59:59", None),
        (NOON, "UTC", "2026-01-31T12:00:00", "2026-01-31T13:30:00"),
        (NOON, "UTC", "2026-01-31T13:30:00", None),
        (NIGHT, "UTC", "2026-01-31T21:59:59", None),
        (NIGHT, "UTC", "2026-01-31T22:00:00", "2026-02-01T07:00:00"),
        (NIGHT, "UTC", "2026-02-01T06:59:59", "2026-02-01T07:00:00"),
        (NIGHT, "UTC", "2026-02-01T07:00:00", None),
        (NIGHT, "Asia/Shanghai", "2026-01-31T13:59:59", None),
        (NIGHT, "Asia/Shanghai", "2026-01-31T14:00:00", "2026-01-31T23:00:00"),
        # A night in which the clock is set forward is an hour shorter, and one in which it is set back is longer.
        (NIGHT, "Europe/Berlin", "2026-03-28T21:00:00", "2026-03-29T05:00:00"),
        (NIGHT, "Europe/Berlin", "2026-10-24T20:00:00", "2026-10-25T06:00:00"),
        ((0, 1), "UTC", "2026-01-31T00:00:30", "2026-01-31T00:01:00"),
        ((1, 0), "UTC", "2026-01-31T00:01:00", "2026-02-01T00:00:00"),
    ],
)
def test_quiet_hours_end_at_their_time_of_day(hours: tuple[int, int], zone: str, now: str, ends: str | None) -> None:
    expected = datetime.fromisoformat(ends).replace(tzinfo=UTC) if ends else None
    assert quiet_until(*hours, zone, datetime.fromisoformat(now).replace(tzinfo=UTC)) == expected
