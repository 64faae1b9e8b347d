"""Applying changes that are on the bus already, in batches, against the database's own way of adding new rows.

Ours compacts and applies inserts, updates and deletes in the order of their transactions, with the checkpoint's place
in each commit. The peers only add as many new rows, all in one statement: a limit rather than a rival.
"""

import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.servers.base import Server

from bench.capture import Capture
from bench.databases import (
    PEER_TARGET,
    ROWS,
    SOURCE,
    TARGET,
    insert_statement,
    make_table,
    mariadb,
    pipe,
    psql,
    running_servers,
    schema_of,
)
from bench.report import Result
from bench.timing import Measure, compare, seconds
from bench.workload import CHANGES, INSERTS, make_changes
from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.roles.source import drop
from zcbus.engine.rates import Rate
from zcbus.engine.subscribe.appliers.channel import ChannelApplier
from zcbus.engine.subscribe.appliers.parallel import ParallelAppliers
from zcbus.engine.subscribe.checkpoints.records import ChannelCheckpoint, CheckpointWriter, Phase, TableCheckpoint
from zcbus.engine.subscribe.schema.mapping import columns_of
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.transform.shapes import Shapes
from zcbus.model.changes import ChangeFrame
from zcbus.model.frames import encode_frame
from zcbus.model.schema import TableName
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import SubscribedTable

_STEPS = max(ROWS // CHANGES, 1)
TOPIC = "bench/apply"


def run() -> Iterator[Result]:
    """Both databases."""
    with running_servers() as servers:
        for name, server in servers.all().items():
            with tempfile.TemporaryDirectory(prefix="zcbus-bench-apply-") as folder:
                yield from _apply(name, server, Path(folder))


def _apply(name: str, server: Server, folder: Path) -> Iterator[Result]:
    capture = Capture(server, schema_of(server))
    bus = EmbeddedBus(folder / "bus")
    changes = fill_topic(server, capture, bus)
    case = f"{name}, batches of up to 50,000"
    peer = _peer(server, folder, changes)
    cpu: list[float] = []
    ours = partial(_ours, server, bus, changes, cpu)
    yield from compare("apply", case, "changes", changes, ours, peer)
    figure = changes / sorted(cpu)[len(cpu) // 2]
    yield Result("apply", case, figure, "changes/CPU s", None, None)
    check(server)


def fill_topic(server: Server, capture: Capture, bus: EmbeddedBus) -> int:
    """Put the changes of a table on the bus; returns how many there are."""
    begin = capture.prepare("bench")
    changes = make_changes(server, SOURCE, 1, _STEPS)
    with bus.writer(TOPIC, Retention()) as writer:

        def keep(frame: ChangeFrame) -> None:
            writer.append(encode_frame(frame))

        capture.read("bench", begin, changes, keep)
        writer.flush()
    drop(capture.source, "bench")
    return changes


def _ours(server: Server, bus: EmbeddedBus, changes: int, cpu: list[float]) -> float:
    server.execute("DROP TABLE IF EXISTS orders", TARGET)
    make_table(server, TARGET)
    with connector(server.kind).target(server.options(TARGET)).open() as session:
        session.prepare_store()
        session.delete_checkpoints("bench")
        replay = replay_of(server, bus, session)
        end = bus.info(TOPIC)
        assert end is not None

        def work() -> None:
            while replay.offset < end.next_offset:
                replay.turn(1.0)
            replay.store()

        began = time.process_time()
        try:
            taken = seconds(work)
        finally:
            replay.close()
        cpu.append(time.process_time() - began)
        checkpoint = replay.members()[0].checkpoint
        assert checkpoint is not None
        assert checkpoint.inserts + checkpoint.updates + checkpoint.deletes == changes
        return taken


def replay_of(
    server: Server, bus: EmbeddedBus, session: TargetSession, openings: SessionFactory | None = None, count: int = 1
) -> ChannelApplier:
    """The channel applier of one table at the beginning of the topic, with so many parallel appliers where there are
    `openings`."""
    source, target = schema_of(server), schema_of(server) if server.kind == "postgresql" else TARGET
    with connector(server.kind).discoverer(server.options(SOURCE)) as discoverer:
        schema = discoverer.describe([TableName(source, "orders")])[0]
    table = SubscribedTable(
        id="orders",
        published="orders",
        source=TableRef(schema_name=source, table="orders"),
        target=TableRef(schema_name=target, table="orders"),
    )
    checkpoint = TableCheckpoint(
        1, Phase.MEMBER, since="0/0", until="0/0", columns=columns_of(schema), key=schema.primary_key
    )
    checkpoints, run = (
        CheckpointWriter("bench", session, {}),
        SyncRun(table, Rate(time.monotonic), Shapes(""), checkpoint=checkpoint),
    )
    keys = ParallelAppliers(openings, checkpoints, 1) if openings is not None else None
    replay = ChannelApplier(bus, TOPIC, session, checkpoints, ChannelCheckpoint(), [run], keys)
    replay.divide(count)
    return replay


def _peer(server: Server, folder: Path, changes: int) -> dict[str, Measure]:
    """Add as many rows as there are changes, from a file."""
    server.execute("DROP TABLE IF EXISTS orders", PEER_TARGET)
    make_table(server, PEER_TARGET)
    server.execute(insert_statement(server, 1, changes), PEER_TARGET)
    path = folder / "rows"
    with path.open("wb") as file:
        if server.kind == "postgresql":
            name = "COPY of new rows"
            pipe(psql(server, PEER_TARGET, "COPY orders TO STDOUT"), output=file)
            command = psql(server, PEER_TARGET, f"\\copy orders FROM '{path}'")
        else:
            name = "LOAD DATA of new rows"
            options = ("--quick", "--batch", "--skip-column-names", "--default-character-set=utf8mb4")
            pipe(mariadb(server, PEER_TARGET, *options, "--execute=SELECT * FROM orders"), output=file)
            load = f"LOAD DATA LOCAL INFILE '{path}' INTO TABLE orders CHARACTER SET utf8mb4"
            command = mariadb(server, PEER_TARGET, "--local-infile=1", f"--execute={load}")

    def measure() -> float:
        server.execute("DROP TABLE orders", PEER_TARGET)
        make_table(server, PEER_TARGET)
        return seconds(lambda: pipe(command))

    return {name: measure}


def check(server: Server) -> None:
    """Whether the target has the source's rows."""
    query = "SELECT count(*), sum(id), sum(quantity), sum(price) FROM orders"
    found, expected = server.rows(query, TARGET)[0], server.rows(query, SOURCE)[0]
    assert list(map(int, found)) == list(map(int, expected)), (found, expected)
    assert int(found[0]) < _STEPS * INSERTS
