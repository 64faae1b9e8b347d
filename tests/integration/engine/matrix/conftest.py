"""The parts of the matrix: a walk through all kinds is what CI runs, every pair is for the soak."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.integration.engine.matrix.kinds import DESTINATIONS, ORIGINS, SLOW, Pair, walk
from tests.integration.engine.matrix.sides import Destination, Origin, Run
from tests.support.parts import SOAK, WIDE, leave_to

from zcbus.bus.open import open_bus
from zcbus.connectors.emitting.log import keep_in
from zcbus.engine.state_logs import BusStateLog, keep_states_on_the_bus, topic_of


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    walked = set(walk())
    for item in items:
        kinds = _kinds(item)
        if kinds and kinds not in walked:
            leave_to(SOAK, item)
        elif not SLOW.isdisjoint(kinds):
            leave_to(WIDE, item)


def _kinds(item: pytest.Item) -> Pair | tuple[()]:
    """Of one of the folder's runs."""
    is_own = item.path.is_relative_to(Path(__file__).parent) and isinstance(item, pytest.Function)
    kinds: Pair | tuple[()] = item.callspec.params.get("kinds", ()) if is_own and hasattr(item, "callspec") else ()
    return kinds


@pytest.fixture
def origin(kinds: Pair) -> Origin:
    """The source's description."""
    return ORIGINS[kinds[0]]


@pytest.fixture
def destination(kinds: Pair) -> Destination:
    """The target's."""
    return DESTINATIONS[kinds[1]]


@pytest.fixture
def run(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    origin: Origin,
    destination: Destination,
    tmp_path: Path,
) -> Iterator[Run]:
    """Without tables, not started. What this process asks of a side is on the bus of the workers."""
    source, target = request.getfixturevalue(origin.server), request.getfixturevalue(destination.server)
    monkeypatch.setattr(source, "options", origin.given(source.options))
    run = Run(source, target, source.fresh_database("src"), target.fresh_database("dst"), tmp_path)
    run.key = origin.key
    with closing(open_bus(run.bus, run.data_dir)) as bus:
        keep_in(lambda place: BusStateLog(bus, topic_of(place)))
        yield run
    keep_states_on_the_bus()
    run.close()
    for server, database in ((source, run.source_database), (target, run.target_database)):
        _drop(server, database)


def _drop(server: Any, database: str) -> None:
    """Databases of hundreds of runs fill disks; what has no such thing has streams, which it deletes itself."""
    if hasattr(server, "drop_database"):
        server.drop_database(database)
