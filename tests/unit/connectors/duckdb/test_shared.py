"""A file that several processes and sessions use."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.servers.duckdb import DuckDBFolder

from zcbus.connectors.duckdb.connection import DatabaseFile
from zcbus.connectors.duckdb.session import DuckDBSession
from zcbus.connectors.duckdb.spec import DuckDBOptions
from zcbus.connectors.errors import DatabaseFailed, Fenced, SourceUnavailable, TargetLocked
from zcbus.connectors.roles import Checkpoint

HOLD = "import duckdb, sys; file = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.fixture
def options(duckdb_folder: DuckDBFolder) -> DuckDBOptions:
    found: DuckDBOptions = duckdb_folder.options(duckdb_folder.fresh_database("shared"))
    return replace(found, lock_wait=1)


@contextmanager
def held(path: str) -> Iterator[None]:
    """Another process has the file open."""
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        yield
        other.communicate()


def test_a_file_locked_by_another_process_is_retried(options: DuckDBOptions, duckdb_folder: DuckDBFolder) -> None:
    with DuckDBSession(options) as session:
        with held(str(duckdb_folder.folder / options.file)):
            with pytest.raises(TargetLocked) as caught:
                session.prepare_store()
            assert "PID" in str(caught.value.facts["detail"])
            with pytest.raises(SourceUnavailable), DatabaseFile(options, "source").reading():
                raise AssertionError
        session.prepare_store()
        session.write_checkpoints([Checkpoint("s", "a", 1, "{}")])
        session.commit()
        with held(str(duckdb_folder.folder / options.file)):  # nothing of ours is open between transactions
            pass
        assert [one.version for one in session.checkpoints("s")] == [1]


def test_the_user_of_the_file_is_named_without_waiting_too(options: DuckDBOptions, duckdb_folder: DuckDBFolder) -> None:
    """However long a single try takes, as on a busy machine."""
    with DuckDBSession(replace(options, lock_wait=0)) as session:
        with held(str(duckdb_folder.folder / options.file)), pytest.raises(TargetLocked) as caught:
            session.prepare_store()
        assert "PID" in str(caught.value.facts["detail"])


def test_sessions_of_one_process_read_committed_data_while_another_writes(options: DuckDBOptions) -> None:
    with DuckDBSession(options) as session, DuckDBSession(options) as other:
        session.prepare_store()
        session.write_checkpoints([Checkpoint("s", "a", 1, "{}")])
        assert other.checkpoints("s") == []
        with pytest.raises(TargetLocked):
            other.lock_checkpoints("s")
        session.commit()
        assert len(other.lock_checkpoints("s")) == 1


def test_a_waiting_call_can_be_interrupted(options: DuckDBOptions) -> None:
    with DuckDBSession(options) as session:
        session.lock_checkpoints("s")
        waiting = DatabaseFile(replace(options, lock_wait=60), "target")
        threading.Timer(0.1, waiting.interrupt).start()
        with pytest.raises(Exception, match="interrupted"):
            waiting.begin()
        waiting.close()


def write_twice(session: DuckDBSession) -> None:
    for _ in range(2):
        session.write_checkpoints([Checkpoint("s", "3", 1, "{}")])


def test_a_rolled_back_savepoint_keeps_earlier_writes(options: DuckDBOptions) -> None:
    with DuckDBSession(options) as session:
        session.prepare_store()
        for number in (1, 2):
            session.write_checkpoints([Checkpoint("s", f"{number}", 1, "{}")])
        with pytest.raises(Fenced), session.savepoint():
            write_twice(session)
        with session.savepoint():
            session.write_checkpoints([Checkpoint("s", "4", 1, "{}")])
        session.commit()
        assert [one.name for one in session.checkpoints("s")] == ["1", "2", "4"]


def test_a_file_of_another_kind_is_named(options: DuckDBOptions, duckdb_folder: DuckDBFolder) -> None:
    path = duckdb_folder.folder / options.file
    path.write_bytes(b"SQLite format 3\0" + bytes(8192))
    with DuckDBSession(options) as session, pytest.raises(DatabaseFailed):
        session.prepare_store()
