"""A server that died while it wrote its log: the file ends within an event, of a transaction that never was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.connectors.mysql.support import captured, flat
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.errors import LogPositionLost
from zcbus.connectors.mysql.capture import position
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.roles import ChangeStream
from zcbus.model.changes import ChangeFrame, RollbackFrame, Streamed
from zcbus.model.position import Position

pytestmark = pytest.mark.server
DATABASE = "defaultdb"


@pytest.fixture
def server() -> Iterator[MariaDBServer]:
    server = MariaDBServer()
    server.execute("CREATE TABLE t (id int PRIMARY KEY, v varchar(1000))", DATABASE)
    yield server
    server.remove()


def _end_of_log(server: MariaDBServer) -> tuple[Path, int]:
    """The file of the log that is written, and its size."""
    ((name, size, *_),) = server.rows("SHOW MASTER STATUS")
    return server._data / name, int(size)


def _tear(file: Path, begin: int, end: int) -> None:
    """Append a copy of the last event without its last bytes."""
    content = file.read_bytes()
    with file.open("ab") as log:
        log.write(content[begin : end - 10])


def _read(stream: ChangeStream, end: Position) -> list[Streamed]:
    frames: list[Streamed] = []
    while not any(isinstance(frame, ChangeFrame) and frame.complete and frame.last_position >= end for frame in frames):
        frames += stream.read(0.2)
    return frames


def _left(frames: list[Streamed]) -> list[ChangeFrame]:
    """The rows that remain."""
    left: list[ChangeFrame] = []
    for frame in frames:
        if isinstance(frame, ChangeFrame):
            left.append(frame)
        while isinstance(frame, RollbackFrame) and left and not left[-1].complete:
            left.pop()
    return left


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("rows", "parts"), [(1, False), (12_000, True)])
def test_an_incomplete_transaction_is_skipped(server: MariaDBServer, rows: int, parts: bool) -> None:
    source, tables = connector().source(server.options(DATABASE)), captured(DATABASE, t="id")
    after = source.prepare("n", tables)
    file, begin = _end_of_log(server)
    server.execute(f"INSERT INTO t SELECT seq, REPEAT('x', 1000) FROM seq_1_to_{rows}", DATABASE)
    _, end = _end_of_log(server)
    server.execute("DELETE FROM t; INSERT INTO t VALUES (1, 'before')", DATABASE)
    server.kill()
    _tear(file, begin, end)
    server.start()
    server.execute("INSERT INTO t VALUES (2, 'behind')", DATABASE)
    with source.open_changes("n", tables, after) as stream:
        frames = _read(stream, source.log_end())
    assert any(isinstance(frame, RollbackFrame) for frame in frames) == parts
    changes = flat(_left(frames))
    assert len(changes) == 2 * rows + 2
    assert [row["v"] for _, _, row, _ in changes[2 * rows :]] == ["before", "behind"]
    # Nor does it depend on having read the part before it.
    with source.open_changes("n", tables, source.log_end()) as stream:
        server.execute("INSERT INTO t VALUES (3, 'later')", DATABASE)
        assert [row["v"] for _, _, row, _ in flat(_left(_read(stream, source.log_end())))] == ["later"]


@pytest.mark.timeout(60)
def test_a_log_without_a_next_file_is_reported(server: MariaDBServer, monkeypatch: pytest.MonkeyPatch) -> None:
    source, tables = connector().source(server.options(DATABASE)), captured(DATABASE, t="id")
    after = source.prepare("n", tables)
    file, begin = _end_of_log(server)
    server.execute("INSERT INTO t VALUES (1, 'x')", DATABASE)
    _, end = _end_of_log(server)
    server.kill()
    _tear(file, begin, end)
    server.start()
    monkeypatch.setattr(position, "exists", lambda session, file: False)
    with source.open_changes("n", tables, after) as stream, pytest.raises(LogPositionLost):
        _read(stream, source.log_end())
