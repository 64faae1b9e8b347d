"""Budget of verification: a share of one core's time, and of a session on each server."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PROCESSOR, SOURCE, TARGET = "processor", "source", "target"


class Budget:
    """Pauses that keep each meter within its share of the time since it began. Unused time is not saved up. For one
    thread."""

    def __init__(
        self,
        percent: float,
        clock: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.thread_time,
    ) -> None:
        """`clock`: seconds. `processor`: seconds of processor time of this thread."""
        self._clock, self._processor = clock, processor
        self._charged = processor()
        self._paid_at: dict[str, float] = {}
        self.spent: dict[str, float] = {PROCESSOR: 0.0, SOURCE: 0.0, TARGET: 0.0}
        """Seconds by meter."""
        self.percent = percent

    @contextmanager
    def on(self, meter: str) -> Iterator[None]:
        """Charge the time of the body to a server's meter."""
        began = self._clock()
        try:
            yield
        finally:
            self._charge(meter, self._clock() - began)

    def pause(self) -> float:
        """Seconds to pause until every meter is within its share."""
        worked = self._processor()
        self._charge(PROCESSOR, worked - self._charged)
        self._charged = worked
        return max([0.0, *(at - self._clock() for at in self._paid_at.values())])

    @property
    def total(self) -> float:
        """Seconds of the meter with the most."""
        return max(self.spent.values())

    def _charge(self, meter: str, seconds: float) -> None:
        self.spent[meter] += seconds
        begin = max(self._paid_at.get(meter, 0.0), self._clock())
        self._paid_at[meter] = begin + seconds * 100 / self.percent - seconds
