"""Growing pauses between attempts."""

import random
from collections.abc import Iterator


def growing_pauses(first: float = 0.2, factor: float = 2.0, limit: float = 15.0) -> Iterator[float]:
    """Seconds before each attempt: grows by `factor` up to `limit`, spread by ±20 %.

    The spread keeps many clients of one server from retrying in step.
    """
    pause = first
    while True:
        yield pause * random.uniform(0.8, 1.2)  # noqa: S311  spreading load needs no secrecy
        pause = min(pause * factor, limit)
