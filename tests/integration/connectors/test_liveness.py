"""Connections that are dead without a notification."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.servers.base import Server
from tests.support.processes import wait_until
from tests.support.proxy import Proxy
from zcbus.connectors import liveness
from zcbus.connectors.errors import SourceUnavailable, TargetUnavailable
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.session import connect
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable, ChangeStream, Checkpoint, Source
from zcbus.connectors.roles.source import drop
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.model.changes import ChangeFrame
from zcbus.model.position import Position
from zcbus.model.schema import TableName

pytestmark = [pytest.mark.server, pytest.mark.fault]
LIMIT = 1.0


@pytest.fixture(params=["postgres_server", "mariadb_server"], ids=["postgresql", "mariadb"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(liveness, "LIVENESS_SECONDS", LIMIT)
    made: Server = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    made = Proxy(server.port)
    yield made
    made.close()


def through(proxy: Proxy | Server, server: Server, database: str) -> ConnectionOptions:
    return replace(server.options(database), port=proxy.port)


def test_a_statement_that_works_for_long_is_waited_for(server: Server) -> None:
    if server.kind == "postgresql":
        with connect(server.options(), "target") as connection:
            row = connection.execute("SELECT pg_sleep(%s), 1", [3 * LIMIT]).fetchone()
            assert row is not None
            assert row[1] == 1
    else:
        with Session(server.options(), "target") as session:
            assert session.rows("SELECT SLEEP(%s)", [3 * LIMIT]) == [(0,)]


def test_a_dead_session_is_noticed_and_its_locks_are_free_at_once(server: Server, proxy: Proxy) -> None:
    target = connector(server.kind).target(through(proxy, server, server.fresh_database("silence")))
    with target.open() as session:
        session.prepare_store()
        session.write_checkpoints([Checkpoint("s", "main", 1, "{}")])
        session.commit()
        session.write_checkpoints([Checkpoint("s", "main", 2, "{}")])
        assert proxy.lose_all() > 0
        with pytest.raises(TargetUnavailable):
            session.commit()
    with target.open() as session:
        assert [checkpoint.version for checkpoint in session.checkpoints("s")] == [1]
        session.write_checkpoints([Checkpoint("s", "main", 2, "{}")])
        session.commit()


@pytest.mark.soak(but=["mariadb"])
def test_a_session_that_died_while_nothing_could_be_reached_is_ended_later(
    server: Server, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "PROBE_SECONDS", LIMIT)  # no server responds: the product would wait for that twice
    target = connector(server.kind).target(through(proxy, server, server.fresh_database("silence")))
    session_factory = SessionFactory(target, "s")
    with session_factory.first() as session:
        session.prepare_store()
        session.write_checkpoints([Checkpoint("s", "main", 1, "{}")])
        session.commit()
        session.write_checkpoints([Checkpoint("s", "main", 2, "lost")])
        proxy.silent = True
        assert proxy.lose_all() > 0
        with pytest.raises(TargetUnavailable):
            session.commit()
    proxy.silent = False
    with session_factory.first() as session:
        assert [checkpoint.version for checkpoint in session.checkpoints("s")] == [1]
        session.write_checkpoints([Checkpoint("s", "main", 2, "{}")])
        session.commit()


def captured(server: Server, database: str) -> list[CapturedTable]:
    return [CapturedTable(TableName("public" if server.kind == "postgresql" else database, "t"), ("id",))]


def read_for(stream: ChangeStream, seconds: int, until: int = -1) -> int:
    """The number of rows received; ends early with `until` of them."""
    rows = 0
    for _ in range(seconds):
        frames = [frame for frame in stream.read(1.0) if isinstance(frame, ChangeFrame)]
        rows += sum(table.rows.num_rows for frame in frames for table in frame.tables)
        if rows == until:
            break
    return rows


def source_of_one_table(proxy: Proxy | Server, server: Server) -> tuple[Source, str]:
    database = server.fresh_database("silence")
    server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    return connector(server.kind).source(through(proxy, server, database)), database


@pytest.mark.wide
def test_a_dead_stream_is_noticed_and_read_again(server: Server, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    # A sign of life is asked for or sent each second: the limit must not be as short as that.
    monkeypatch.setattr(liveness, "LIVENESS_SECONDS", 3 * LIMIT)
    monkeypatch.setattr("zcbus.connectors.mysql.capture.client._LIVENESS_SECONDS", 3 * LIMIT)
    source, database = source_of_one_table(proxy, server)
    tables = captured(server, database)
    begin = source.prepare(database, tables)
    try:
        with source.open_changes(database, tables, begin) as stream:
            read_for(stream, 5)  # idle, but alive for longer than the limit
            assert proxy.lose_all() > 0
            with pytest.raises(SourceUnavailable):
                read_for(stream, 30)
        server.execute("INSERT INTO t VALUES (1)", database)
        with source.open_changes(database, tables, begin) as stream:
            assert read_for(stream, 30, until=1) == 1
    finally:
        drop(source, database)


@pytest.mark.wide
def test_a_stream_that_died_while_nothing_could_be_reached_frees_its_slot_to_the_next(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose server would notice after a minute only."""
    monkeypatch.setattr(liveness, "LIVENESS_SECONDS", 3 * LIMIT)
    proxy = Proxy(postgres_server.port)
    source, database = source_of_one_table(proxy, postgres_server)
    tables = captured(postgres_server, database)
    begin = source.prepare(database, tables)
    try:
        with source.open_changes(database, tables, begin) as stream:
            read_for(stream, 1)
            proxy.refuses = True
            assert proxy.lose_all() > 0
            with pytest.raises(SourceUnavailable):
                read_for(stream, 30)
        proxy.refuses = False
        postgres_server.execute("INSERT INTO t VALUES (1)", database)
        with pytest.raises(SourceUnavailable, match="active"):
            reread(source, database, begin)
        wait_until(lambda: not active(postgres_server, database), 5, "the slot is free")
        assert reread(source, database, begin) == 1
    finally:
        proxy.close()
        drop(connector("postgresql").source(postgres_server.options(database)), database)


def test_a_stream_that_lives_keeps_its_slot(postgres_server: Server) -> None:
    source, database = source_of_one_table(postgres_server, postgres_server)
    tables = captured(postgres_server, database)
    begin = source.prepare(database, tables)
    read, done = [0], threading.Event()

    def keep_reading() -> None:
        with source.open_changes(database, tables, begin) as stream:
            while not done.is_set():
                read[0] += read_for(stream, 1)

    reader = threading.Thread(target=keep_reading)
    reader.start()
    try:
        wait_until(lambda: active(postgres_server, database), 20, "the slot is in use")
        with pytest.raises(SourceUnavailable, match="active"):
            reread(source, database, begin)
        postgres_server.execute("INSERT INTO t VALUES (1)", database)
        wait_until(lambda: read[0] == 1, 20, "the first stream continues")
    finally:
        done.set()
        reader.join(30)
        drop(source, database)


def active(server: Server, database: str) -> bool:
    """Whether a session of the server reads by the slot of a database."""
    slots = "SELECT active FROM pg_replication_slots WHERE database = %s"
    return server.rows(slots, None, (database,)) == [(True,)]


def reread(source: Source, database: str, begin: Position) -> int:
    """How many rows another stream reads."""
    tables = [CapturedTable(TableName("public", "t"), ("id",))]
    with source.open_changes(database, tables, begin) as stream:
        return read_for(stream, 10, until=1)


def test_a_dead_snapshot_is_noticed(server: Server, proxy: Proxy) -> None:
    source, database = source_of_one_table(proxy, server)
    server.execute("INSERT INTO t VALUES (1)", database)
    with connector(server.kind).discoverer(through(proxy, server, database)) as discoverer:
        (schema,) = discoverer.describe([captured(server, database)[0].name])
    with source.open_snapshot() as image:
        assert proxy.lose_all() > 0
        with pytest.raises(SourceUnavailable):
            list(image.read(schema, ("id",), None, 10))
