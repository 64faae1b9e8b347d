"""Calls of unknown callers do not fill the store."""

from datetime import UTC, datetime, timedelta

from zcbus.gateway.log import MAX_UNPROVEN, CallLog
from zcbus.protocol.data_service import ApiCall

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def line(number: int, app: str, at: datetime = NOW) -> ApiCall:
    return ApiCall.model_validate(
        {"id": str(number), "at": at, "api": "", "version": 0, "app": app, "method": "GET", "path": "/", "address": ""}
        | {"status": 401, "rows": 0, "bytes": 0, "duration_ms": 0, "cached": False}
    )


def test_refused_calls_are_counted_beyond_so_many_a_minute() -> None:
    log = CallLog()
    for number in range(MAX_UNPROVEN + 40):
        log.add(line(number, ""))
    log.add(line(1000, "app"))
    log.add(line(1001, "", NOW + timedelta(minutes=1)))
    reports = log.take()
    assert sum(len(report.calls) for report in reports) == MAX_UNPROVEN + 2
    assert sum(report.dropped for report in reports) == 40
