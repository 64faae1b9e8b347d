"""Until when the bus keeps what a table still needs, on every bus."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.buses import KITS, BusKit

from zcbus.bus.contract import Retention
from zcbus.engine.rates import Rate
from zcbus.engine.subscribe.checkpoints.positions import Countdown
from zcbus.engine.subscribe.checkpoints.records import Phase, TableCheckpoint
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.transform.shapes import Shapes
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import SubscribedTable

pytestmark = pytest.mark.server
THREE_DAYS = timedelta(days=3)
START_MS = 1_700_000_000_000


@pytest.fixture(params=sorted(KITS))
def kit(request: pytest.FixtureRequest) -> Iterator[BusKit]:
    kit = KITS[request.param](request)
    yield kit
    for bus in kit.opened:
        bus.close()


class _Clock:
    """A while after the records were appended."""

    def __init__(self, after: timedelta) -> None:
        self._after = after

    def now(self) -> datetime:
        return _moment(0) + self._after

    def monotonic(self) -> float:
        return 0.0


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(START_MS / 1000 + seconds, UTC)


def _run(name: str, phase: Phase, offset: int) -> SyncRun:
    table = TableRef(schema_name="s", table=name)
    task = SubscribedTable(id=name, published=f"p-{name}", source=table, target=table)
    return SyncRun(task, Rate(lambda: 0.0), Shapes(""), checkpoint=TableCheckpoint(1, phase, offset=offset))


def test_each_table_has_a_time_of_its_own(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("real/n", Retention()) as writer:
        for _ in range(4):
            writer.append([b"x"])
            kit.move_clock(3600_000)
    member, apart, loading = (
        _run("member", Phase.MEMBER, 0),
        _run("apart", Phase.APART, 1),
        _run("loading", Phase.LOADING, 0),
    )
    runs = (member, apart, loading)
    countdown = Countdown(bus, "real/n", _Clock(timedelta(hours=4)))
    countdown.update(runs, 2, THREE_DAYS)
    assert member.expires_at == _moment(2 * 3600) + THREE_DAYS
    assert apart.expires_at == _moment(3600) + THREE_DAYS
    assert loading.expires_at is None
    countdown.update(runs, 4, THREE_DAYS)
    assert member.expires_at is None, "nothing waits"
    countdown.update(runs, 2, None)
    assert (member.expires_at, apart.expires_at) == (None, None)


def test_a_short_wait_starts_no_countdown(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("real/n", Retention()) as writer:
        writer.append([b"x"])
    run = _run("member", Phase.MEMBER, 0)
    Countdown(bus, "real/n", _Clock(timedelta(seconds=30))).update([run], 0, THREE_DAYS)
    assert run.expires_at is None
    Countdown(bus, "real/n", _Clock(timedelta(seconds=90))).update([run], 0, THREE_DAYS)
    assert run.expires_at == _moment(0) + THREE_DAYS
    Countdown(bus, "real/none", _Clock(timedelta(seconds=90))).update([run], 0, THREE_DAYS)
    assert run.expires_at is None
