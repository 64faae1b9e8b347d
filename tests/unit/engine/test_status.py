"""Status of a service."""

from zcbus.engine.status import CpuShare, ServiceStatus
from zcbus.kit.clock import SystemClock
from zcbus.kit.errors import TransientError


class _Away(TransientError):
    code = "target-away"


def test_the_share_of_a_processor_is_that_of_an_interval_that_is_over() -> None:
    times = {"elapsed": 100.0, "used": 7.0}
    share = CpuShare(lambda: times["elapsed"], lambda: times["used"])
    times.update(elapsed=100.5, used=7.5)
    assert share.measured() is None
    times.update(elapsed=102.0, used=8.0)
    assert share.measured() == 50.0
    times.update(elapsed=102.1, used=8.1)
    assert share.measured() == 50.0
    times.update(elapsed=106.0, used=8.0)
    assert share.measured() == 0.0


def test_each_failed_attempt_is_a_retry_and_bytes_of_the_bus_are_known_once_counted() -> None:
    status = ServiceStatus(SystemClock())
    assert (status.report().retries, status.report().bus_bytes) == (0, None)
    status.wait_for(_Away())
    status.wait_for(_Away())
    status.running()
    status.passed_bus(0)
    status.passed_bus(12)
    assert (status.report().retries, status.report().bus_bytes) == (2, 12)
