"""Applying changes of one table over several sessions, divided by their keys, against one session."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from tests.servers.base import Server
from tests.support.proxy import Proxy

from bench.apply import TOPIC, check, fill_topic, replay_of
from bench.capture import Capture
from bench.databases import TARGET, make_table, running_servers, schema_of
from bench.report import Result
from bench.timing import compare, seconds
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.registry import connector
from zcbus.engine.subscribe.sessions import SessionFactory

_LANES = 4
_SECONDS_AWAY = 0.0025
"""In each direction."""
_INDEXES = ("quantity", "price", "quantity, price", "price, id", "quantity, id", "id, price, quantity")


def run() -> Iterator[Result]:
    """Both databases: as they are, with further indexes, and some way off."""
    with running_servers() as servers:
        for name, server in servers.all().items():
            with tempfile.TemporaryDirectory(prefix="zcbus-bench-lanes-") as folder:
                yield from _checkpoints(name, server, Path(folder))


def _checkpoints(name: str, server: Server, folder: Path) -> Iterator[Result]:
    bus = EmbeddedBus(folder / "bus")
    changes = fill_topic(server, Capture(server, schema_of(server)), bus)
    proxy = Proxy(server.port)
    proxy.delay = _SECONDS_AWAY
    here = server.options(TARGET)
    cases = {
        "as it is": (here, ()),
        "six further indexes": (here, _INDEXES),
        "5 ms away": (replace(here, port=proxy.port), ()),
    }
    try:
        for case, (options, indexes) in cases.items():
            measure = partial(_apply, server, bus, options, indexes)
            ours, peer = partial(measure, _LANES), partial(measure, 1)
            case = f"{name}, {case}, {_LANES} lanes"
            yield from compare("lanes", case, "changes", changes, ours, {"one lane": peer})
    finally:
        proxy.close()


def _apply(server: Server, bus: EmbeddedBus, options: ConnectionOptions, indexes: tuple[str, ...], count: int) -> float:
    server.execute("DROP TABLE IF EXISTS orders", TARGET)
    make_table(server, TARGET)
    for number, columns in enumerate(indexes):
        server.execute(f"CREATE INDEX further{number} ON orders ({columns})", TARGET)
    openings = SessionFactory(connector(server.kind).target(options), "bench")
    with openings.first() as session:
        session.prepare_store()
        session.delete_checkpoints("bench")
        replay = replay_of(server, bus, session, openings, count)
        end = bus.info(TOPIC)
        assert end is not None

        def work() -> None:
            while replay.offset < end.next_offset:
                replay.turn(1.0)
            replay.store()

        try:
            taken = seconds(work)
        finally:
            replay.close()
    check(server)
    return taken
