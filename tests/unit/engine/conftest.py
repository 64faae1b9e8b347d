"""A bus of its own for each test, and no pauses that a test would have to sit out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine import backoff


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path)
    yield bus
    bus.close()


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def pauses(*_arguments: object, **_options: object) -> Iterator[float]:
        while True:
            yield 0.001

    monkeypatch.setattr(backoff, "growing_pauses", pauses)
