"""Loaders that people use, as peers of full loads: each as its makers tell people to start it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.servers.base import Server

from bench.databases import MANY_ROWS, PEER_TARGET, SOURCE, schema_of
from bench.environments import SECONDS, answer, environment, url
from bench.timing import Measure, seconds
from zcbus.demo.embedded import program

_SILENT = {
    "SLING_DISABLE_TELEMETRY": "true",
    "RUNTIME__DLTHUB_TELEMETRY": "false",
    "INGESTR_DISABLE_TELEMETRY": "true",
}
_BACKENDS = {"postgresql": "pyarrow", "mysql": "sqlalchemy"}
"""ingestr's quickest that reads the table: the other one refuses MySQL's doubles."""
_NAMES = {"postgresql": "postgresql", "mysql": "mysql+pymysql"}


def loaders(source: Server, target: Server) -> dict[str, Measure]:
    """Those that know the pair and are to be had."""
    return dict(_loaders(source, target))


def _loaders(source: Server, target: Server) -> Iterator[tuple[str, Measure]]:
    if (python := environment("peers_sling.txt")) is not None:
        yield "sling", _checked(target, lambda: _sling(python, source, target))
    if (other := environment("peers_dlt.txt")) is not None:
        yield "dlt", _checked(target, lambda: _dlt(other, source, target))
    # Into MySQL and MariaDB it fails: what it notes of its own is longer than the column it makes for that.
    if target.kind == "postgresql" and (third := environment("peers_ingestr.txt")) is not None:
        yield "ingestr", _checked(target, lambda: _ingestr(third, source, target))
    if source.kind == "mysql" and target.kind == "postgresql" and _is_there("pgloader"):
        yield "pgloader", _checked(target, lambda: _pgloader(source, target))
    if source.kind == target.kind == "postgresql" and _is_there("pgcopydb"):
        yield "pgcopydb", _checked(target, lambda: _pgcopydb(source, target))


def _is_there(name: str) -> bool:
    if shutil.which(name):
        return True
    print(f"{name} is left out: not installed (Debian package {name})", file=sys.stderr)
    return False


def _checked(target: Server, work: Measure) -> Measure:
    """Into an empty database, and all rows are there then."""

    def measure() -> float:
        target.drop_database(PEER_TARGET)
        target.create_database(PEER_TARGET)
        taken = work()
        ((rows,),) = target.rows("SELECT count(*) FROM orders", PEER_TARGET)
        assert rows == MANY_ROWS, rows
        return taken

    return measure


def _sling(python: Path, source: Server, target: Server) -> float:
    (binary,) = python.parent.parent.glob("lib/*/site-packages/sling_linux_amd64/bin/sling-linux-amd64")
    options = {"postgresql": "?sslmode=disable", "mysql": ""}
    ends = [url(one, name) + options[one.kind] for one, name in ((source, SOURCE), (target, PEER_TARGET))]
    streams = [f"{schema_of(source)}.orders", f"{schema_of(target, PEER_TARGET)}.orders"]
    command = ["--mode", "full-refresh", "--src-conn", ends[0], "--src-stream", streams[0]]
    return _ran([str(binary), "run", *command, "--tgt-conn", ends[1], "--tgt-object", streams[1]])


def _dlt(python: Path, source: Server, target: Server) -> float:
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-dlt-") as folder:
        settings = {
            "kind": target.kind,
            "source": url(source, SOURCE, _NAMES[source.kind]),
            "target": url(target, PEER_TARGET, _NAMES[target.kind]),
            "dataset": schema_of(target, PEER_TARGET),
            "folder": folder,
        }
        return answer(python, "peer_dlt.py", settings)["seconds"]


def _ingestr(python: Path, source: Server, target: Server) -> float:
    ends = [url(one, name, _NAMES[one.kind]) for one, name in ((source, SOURCE), (target, PEER_TARGET))]
    tables = [f"{schema_of(source)}.orders", f"{schema_of(target, PEER_TARGET)}.orders"]
    command = ["ingest", "--yes", "--progress", "log", "--source-uri", ends[0], "--source-table", tables[0]]
    command += ["--dest-uri", ends[1], "--dest-table", tables[1], "--sql-backend", _BACKENDS[source.kind]]
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-ingestr-") as folder:
        return _ran([str(python.parent / "ingestr"), *command, "--pipelines-dir", folder])


def _pgloader(source: Server, target: Server) -> float:
    text = (
        f"LOAD DATABASE FROM {url(source, SOURCE)} INTO {url(target, PEER_TARGET)} "
        f"ALTER SCHEMA '{SOURCE}' RENAME TO 'public';"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".load") as file:
        file.write(text)
        file.flush()
        return _ran(["pgloader", "--no-ssl-cert-verification", file.name])


def _pgcopydb(source: Server, target: Server) -> float:
    ends = ["--source", url(source, SOURCE), "--target", url(target, PEER_TARGET)]
    jobs = ["--table-jobs", "2", "--index-jobs", "2", "--no-owner", "--not-consistent", "--skip-extensions"]
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-pgcopydb-") as folder:
        return _ran(["pgcopydb", "clone", *ends, *jobs, "--dir", f"{folder}/work"])


def _ran(command: list[str]) -> float:
    """Seconds that a program takes. pgcopydb needs the tools of the server's version."""
    tools = f"{Path(program('psql')).parent}{os.pathsep}{os.environ.get('PATH', '')}"

    def run() -> None:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, **_SILENT, "PATH": tools},
        )
        assert done.returncode == 0, f"{Path(command[0]).name}: {(done.stdout + done.stderr)[-3000:]}"

    return seconds(run)
