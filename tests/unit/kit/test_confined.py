"""What takes too much memory or time dies in a child of its own."""

import os
import resource
import signal
import time
from collections.abc import Iterator

import pytest

from zcbus.kit.confined import Confined, Overrun


def _room(size: int) -> int:
    return len(bytearray(size))


def _spin() -> None:
    while True:
        pass


def _cpu_limit() -> int:
    return resource.getrlimit(resource.RLIMIT_CPU)[0]


def _fail(detail: str) -> None:
    raise ValueError(detail)


@pytest.fixture
def confined() -> Iterator[Confined]:
    made = Confined(memory_bytes=200 << 20, seconds=1)
    yield made
    made.close()


def test_results_and_errors_come_back_from_another_process(confined: Confined) -> None:
    child = confined.call(os.getpid)
    assert child != os.getpid()
    assert confined.call(_room, 1000) == 1000
    with pytest.raises(ValueError, match="wrong"):
        confined.call(_fail, "wrong")
    assert confined.call(os.getpid) == child


def test_too_much_memory(confined: Confined) -> None:
    with pytest.raises(Overrun):
        confined.call(_room, 1 << 30)
    assert confined.call(_room, 1000) == 1000


def test_too_much_time(confined: Confined) -> None:
    confined.call(_room, 1)
    began = time.monotonic()
    with pytest.raises(Overrun):
        confined.call(_spin)
    assert time.monotonic() - began < 15
    assert confined.call(_room, 1000) == 1000


def test_a_child_that_ended_meanwhile_is_replaced(confined: Confined) -> None:
    child = confined.call(os.getpid)
    os.kill(child, signal.SIGKILL)
    assert confined.call(_room, 1000) == 1000
    assert confined.call(os.getpid) != child


def test_processor_time_counts_by_the_call(confined: Confined) -> None:
    assert confined.call(_cpu_limit) != resource.RLIM_INFINITY
    pid = confined.call(os.getpid)
    assert resource.prlimit(pid, resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY
