"""Brokers as peers of the embedded bus: one stream, kept in files of this host, in a folder of its own for each round.

One rule of flushing for all and for us: nothing is acknowledged before it is on the disk (`appendfsync always`,
`sync_interval: always`), and a writer goes on once its group is. The clients are the makers' own for Python. What a
broker makes of a group differs: Redis syncs a transaction once, a pipeline as often as it reads from the connection;
NATS syncs an atomic batch once, messages that come singly one by one. Both ways of each are measured.
"""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.environments import answer, environment
from bench.timing import Measure

_SLOW_SHARE = 20
"""NATS syncs single messages one by one: so many times fewer are sent, and their time counts so many times."""
_START_SECONDS = 20.0


def brokers(size: int, count: int, group: int) -> dict[str, Measure]:
    """Those that are to be had, with `count` records of `size` bytes, `group` of them in flight; why not is printed."""
    python = environment("peers_brokers.txt")
    if python is None:
        return {}
    settings = {"size": size, "group": group}

    def nats(mode: str, share: int = 1) -> Measure:
        asked = {**settings, "count": count // share, "mode": mode}
        return lambda: share * _measure(_nats(python), python, "peer_nats.py", asked)

    def redis(mode: str) -> Measure:
        return lambda: _measure(_redis, python, "peer_redis.py", {**settings, "count": count, "mode": mode})

    found = {
        f"NATS JetStream, atomic batches of {group}": nats("atomic"),
        f"NATS JetStream, {group} in flight": nats("single", _SLOW_SHARE),
    }
    if shutil.which("redis-server") is None:
        print("Redis is left out: not installed (Debian package redis-server)", file=sys.stderr)
        return found
    ours = {
        f"Redis Streams, transactions of {group}": "transaction",
        f"Redis Streams, pipelines of {group}": "pipeline",
    }
    return found | {name: redis(mode) for name, mode in ours.items()}


Command = Callable[[Path, int], Sequence[str]]
"""How the broker is started with a folder and a port."""


def _nats(python: Path) -> Command:
    def command(folder: Path, port: int) -> Sequence[str]:
        settings = folder / "nats.conf"
        settings.write_text(
            f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{folder}/data", sync_interval: always }}\n'
        )
        return [str(python.with_name("nats-server")), "-c", str(settings)]

    return command


def _redis(folder: Path, port: int) -> Sequence[str]:
    options = {
        "port": port,
        "bind": "127.0.0.1",
        "dir": folder,
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
    }
    return ["redis-server", *(part for name, value in options.items() for part in (f"--{name}", str(value)))]


def _measure(command: Command, python: Path, script: str, settings: dict[str, object]) -> float:
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-broker-") as folder:
        port = _free_port()
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(command(Path(folder), port), stdout=log, stderr=log)
        try:
            _wait_until_it_listens(process, port, Path(folder) / "log")
            return answer(python, script, {**settings, "port": port})["seconds"]
        finally:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(log.read_text(errors="replace")[-2000:]) from None
            time.sleep(0.02)
