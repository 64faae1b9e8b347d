"""What verification may cost: so much of the time of a core, and of a session on each server."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PROCESSOR, SOURCE, TARGET = "processor", "source", "target"


class Budget:
    """Time that was spent is paid for by a pause, for each meter apart, so that no meter ever ran for more than its
    share of the time since it began. Time that was not used is not saved up. For one thread."""

    def __init__(
        self,
        percent: float,
        clock: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.thread_time,
    ) -> None:
        """`clock` and `processor`: seconds; the latter that this thread worked."""
        self._clock, self._processor = clock, processor
        self._charged = processor()
        self._paid_at: dict[str, float] = {}
        self.spent: dict[str, float] = {PROCESSOR: 0.0, SOURCE: 0.0, TARGET: 0.0}
        """Seconds by meter."""
        self.percent = percent

    @contextmanager
    def on(self, meter: str) -> Iterator[None]:
        """Measure how long a server works for us."""
        began = self._clock()
        try:
            yield
        finally:
            self._charge(meter, self._clock() - began)

    def pause(self) -> float:
        """Seconds to wait until what was spent is paid for."""
        worked = self._processor()
        self._charge(PROCESSOR, worked - self._charged)
        self._charged = worked
        return max([0.0, *(at - self._clock() for at in self._paid_at.values())])

    @property
    def total(self) -> float:
        """Seconds that the meter ran that ran most."""
        return max(self.spent.values())

    def _charge(self, meter: str, seconds: float) -> None:
        self.spent[meter] += seconds
        begin = max(self._paid_at.get(meter, 0.0), self._clock())
        self._paid_at[meter] = begin + seconds * 100 / self.percent - seconds
