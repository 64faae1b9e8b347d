"""The private PostgreSQL starts, dies and comes back."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from zcbus.demo.embedded import EmbeddedPostgreSQL, EmbeddedServerFailed, Version

pytestmark = pytest.mark.server


@pytest.fixture(params=[16, 18])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmbeddedPostgreSQL]:
    version: Version = request.param
    made = EmbeddedPostgreSQL(tmp_path / "server", version=version, password="right", durable=False)
    made.start()
    yield made
    made.remove()


def connect(server: EmbeddedPostgreSQL, password: str = "right") -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host="127.0.0.1", port=server.port, user="postgres", password=password, dbname="postgres", autocommit=True
    )


def test_data_outlives_a_crash_and_the_port_stays(server: EmbeddedPostgreSQL) -> None:
    with connect(server) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        connection.execute("INSERT INTO kept VALUES (7)")
    port = server.port
    server.kill()
    assert not server.running
    server.start()
    with connect(server) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (7,)
    server.restart("immediate")
    assert server.port == port


def test_only_the_right_password_gets_in(server: EmbeddedPostgreSQL) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        connect(server, "wrong")


def test_a_bad_setting_is_reported_in_the_servers_words(tmp_path: Path) -> None:
    broken = EmbeddedPostgreSQL(tmp_path / "server", durable=False, settings={"wal_level": "nonsense"})
    with pytest.raises(EmbeddedServerFailed, match="wal_level"):
        broken.start()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals a child that its parent died")
def test_the_server_dies_with_its_parent(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from zcbus.demo.embedded import EmbeddedPostgreSQL\n"
        "server = EmbeddedPostgreSQL(Path(sys.argv[1]), durable=False); server.start()\n"
        "print(server.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "server")], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())
    assert Path(f"/proc/{pid}").exists()
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 10
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
