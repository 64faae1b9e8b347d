"""The suite runs on every bus there is."""

from collections.abc import Iterator

import pytest

from tests.support.buses import KITS, BusKit
from zcbus.bus.contract import Bus


@pytest.fixture(params=sorted(KITS))
def kit(request: pytest.FixtureRequest) -> Iterator[BusKit]:
    kit = KITS[request.param](request)
    yield kit
    for bus in kit.opened:
        bus.close()


@pytest.fixture
def bus(kit: BusKit) -> Bus:
    return kit.bus()
