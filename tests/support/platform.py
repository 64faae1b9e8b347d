"""The whole platform as a person runs it: `zcbus serve` as a process, in a data folder of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers.base import Server
from tests.support.processes import alive, descendants, kill, wait_until
from zcbus.cli.http import Api, ApiError
from zcbus.cli.link import wait_for_state
from zcbus.demo.embedded import free_port
from zcbus.kit.tls import TlsSettings, trusted_by

ADMIN_PASSWORD = "Chosen-by-hand-1"


class Platform:
    """A running platform. `data_dir` may be on a file system of the test's choice."""

    def __init__(self, data_dir: Path, prefix: Sequence[str] = (), **settings: str) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.log = data_dir.with_name(data_dir.name + ".log")
        self._prefix = tuple(prefix)
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"{'https' if self._settings.get('tls') == 'on' else 'http'}://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The launcher's."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start and wait until the agent has made itself known."""
        self._process = self.run("serve", prefix=self._prefix)
        wait_until(lambda: self.processes("agent") or self._has_ended(), 90, f"the platform starts, see {self.log}")
        if self._has_ended():
            raise AssertionError(self.log.read_text()[-4000:])

    def run(self, *arguments: str, prefix: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        """Start one `zcbus` process with this platform's settings; its output goes to `log`."""
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ZCBUS_")},
            "ZCBUS_DATA_DIR": str(self.data_dir),
            "ZCBUS_PORT": str(self.port),
            "ZCBUS_LOGIN_CAPTCHA": "off",
            "ZCBUS_ADMIN_PASSWORD": ADMIN_PASSWORD,
            **{f"ZCBUS_{name.upper()}": value for name, value in self._settings.items()},
        }
        command = [*prefix, sys.executable, "-m", "zcbus.cli", *arguments]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True
            )

    def stop(self) -> None:
        """Stop in order, as Ctrl+C does, and prove that nothing is left over."""
        if self._process is None:
            return
        everything = [self.pid, *descendants(self.pid)]
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(90)
        finally:
            for pid in everything:
                kill(pid)
            self._process = None

    def join_token(self, container: str = "default") -> str:
        """A token by which one host joins a container."""
        with self.api() as api:
            known = {one["containerName"]: one["id"] for one in api.call("container/list")}
            token: str = api.call("container/cluster/join/offer", {"containerid": known[container]})["token"]
            return token

    def api(self) -> Api:
        """A client with the data folder's own token."""
        trusted = trusted_by(self.url, self.data_dir, TlsSettings())
        return Api(self.url, (self.data_dir / "local-token").read_text().strip(), trusted)

    def processes(self, command: str) -> list[int]:
        """Process ids of `control`, `agent`, `worker` or `demo`."""
        words = {"control": "serve --no-agent"}.get(command, command)
        marks = (f"zcbus {words}", f"zcbus.cli {words}")
        return [pid for pid, line in descendants(self.pid).items() if any(mark in " ".join(line) for mark in marks)]

    def kill(self, command: str, which: int = 0) -> int | None:
        """SIGKILL one process of that sort; None where there is none at the moment."""
        pids = self.processes(command)
        if not pids:
            return None
        pid = pids[which % len(pids)]
        kill(pid)
        wait_until(lambda: not alive(pid), 10, f"{command} {pid} is gone")
        return pid

    def answers(self) -> bool:
        """Whether the control plane answers now."""
        try:
            with self.api() as api:
                api.call("container/list")
        except ApiError:
            return False
        return True

    def status(self, link: str) -> dict[str, Any]:
        """As `zcbus link status --json`."""
        with self.api() as api:
            status: dict[str, Any] = api.call("sync/link/status", {"name": link})
        return status

    def apply(self, document: dict[str, Any]) -> dict[str, Any]:
        """As `zcbus link apply`; waits for an agent to be there."""
        answer: dict[str, Any] = {}

        def applied() -> bool:
            try:
                with self.api() as api:
                    answer.update(api.call("sync/link/apply", {"document": document}))
            except ApiError as error:
                if error.code == 0:
                    return False
                raise
            return True

        wait_until(applied, 60, "the link is applied", pause=0.5)
        return answer

    def wait(self, link: str, state: str, seconds: float = 120) -> dict[str, Any]:
        """Wait until every table of the link is in a state; fails with the status and the workers' logs."""
        with self.api() as api:
            status, reached = wait_for_state(api, link, state, seconds)
        assert reached, json.dumps(status, ensure_ascii=False, indent=1) + self.worker_logs()
        return status

    def worker_logs(self, characters: int = 3000) -> str:
        """The ends of the workers' logs, for a failure's message."""
        logs = sorted((self.data_dir / "logs").glob("*.log"))
        return "".join(f"\n--- {log.name}\n{log.read_text(errors='replace')[-characters:]}" for log in logs)

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


@contextmanager
def running_platform(data_dir: Path, prefix: Sequence[str] = (), **settings: str) -> Iterator[Platform]:
    """Start a platform for the block."""
    platform = Platform(data_dir, prefix, **settings)
    platform.start()
    try:
        yield platform
    finally:
        platform.stop()


def side(server: Server, database: str) -> dict[str, Any]:
    """One side of a link document."""
    options = server.options(database)
    return {
        "kind": options.kind,
        "host": options.host,
        "port": options.port,
        "user": options.user,
        "password": options.password,
        "database": database,
    }
