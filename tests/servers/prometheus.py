"""A private server of Prometheus' protocols in a folder: Prometheus itself, or VictoriaMetrics."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.processes import die_with_parent, wait_until

_SECONDS = 30.0
PROMETHEUS, VICTORIA_METRICS = "prometheus", "victoria-metrics"
_READY = {PROMETHEUS: "/-/ready", VICTORIA_METRICS: "/health"}


@contextmanager
def metric_server(kind: str, folder: Path, port: int, config: str = "") -> Iterator[str]:
    """Its address. `config`: of Prometheus. The test is skipped where the program is missing."""
    program = shutil.which(kind)
    if program is None:
        pytest.skip(f"{kind} is missing: Debian package {kind}")
    folder.mkdir(exist_ok=True)
    (folder / "config.yml").write_text(config)
    options = {
        PROMETHEUS: (
            f"--config.file={folder}/config.yml",
            f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{port}",
            "--web.enable-remote-write-receiver",
            "--storage.tsdb.retention.time=100y",
        ),
        VICTORIA_METRICS: (
            f"-storageDataPath={folder}/data",
            f"-httpListenAddr=127.0.0.1:{port}",
            "-retentionPeriod=100y",
        ),
    }[kind]
    address = f"http://127.0.0.1:{port}"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
    try:
        wait_until(lambda: _answers(address + _READY[kind]), _SECONDS, f"{kind} is ready, see {folder}/log")
        yield address
    finally:
        process.terminate()
        process.wait(_SECONDS)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.HTTPError:
        return False
