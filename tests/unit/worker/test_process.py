"""The worker process from outside: its streams and its exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.tasks import PublishedTable, PublishTask
from zcbus.protocol.worker_input import TaskChanges

PASSWORD = "very-secret-word"


def start(data_dir: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "ZCBUS_DATA_DIR": str(data_dir), "ZCBUS_BUS": "embedded:"}
    environment.pop("ZCBUS_PARENT_PID", None)
    return subprocess.Popen(
        [sys.executable, "-m", "zcbus.cli", "worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


def task() -> bytes:
    """A source without a listener."""
    connection = Connection.model_validate(
        {
            "kind": "postgresql",
            "options": {"host": "127.0.0.1", "port": 1, "user": "u", "database": "d"},
            "secrets": {"password": PASSWORD},
        }
    )
    table = PublishedTable(id="t", source=TableRef(schema_name="public", table="t"), generation=1)
    return PublishTask(service="s", node="n", source=connection, tables=(table,)).model_dump_json().encode()


def test_no_task_is_no_error(tmp_path: Path) -> None:
    output, _ = (process := start(tmp_path)).communicate(b"", timeout=60)
    assert (process.returncode, output) == (0, b"")


def test_a_task_that_is_not_understood(tmp_path: Path) -> None:
    output, log = (process := start(tmp_path)).communicate(b'{"type": "publish", "password": "x1y2"}\n', timeout=60)
    assert (process.returncode, output) == (3, b"")
    assert b"x1y2" not in log


def test_changes_without_a_task_of_their_kind_end_the_worker(tmp_path: Path) -> None:
    changes = TaskChanges(task=PublishTask.model_validate_json(task())).model_dump_json().encode()
    (process := start(tmp_path)).communicate(changes + b"\n", timeout=60)
    assert process.returncode != 0


def test_a_source_that_is_away_is_waited_for_until_the_input_ends(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(task() + b"\n")
    process.stdin.flush()
    for line in process.stdout:
        report = json.loads(line)
        if report["type"] == "service" and report["state"] == "waiting":
            break
    assert report["reason"]["code"] == "source-unavailable"
    rest, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert all(json.loads(line)["type"] for line in rest.splitlines())
    assert PASSWORD.encode() not in rest + log + json.dumps(report).encode()
