"""Growing pauses between attempts."""

import random
from collections.abc import Iterator


def growing_pauses(first: float = 0.2, factor: float = 2.0, limit: float = 15.0) -> Iterator[float]:
    """Seconds to wait before each next attempt: grows by `factor` up to `limit`, spread by ±20 % so that many
    clients of one server do not come back in step."""
    pause = first
    while True:
        yield pause * random.uniform(0.8, 1.2)  # noqa: S311  spreading load needs no secrecy
        pause = min(pause * factor, limit)
