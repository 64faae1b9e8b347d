"""A private OpenSSH server that gives files of this host by SFTP and leads connections on, for the user whom it runs
as."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import asyncssh
import pytest

from zcbus.kit.network import Route

_START_SECONDS = 20.0


class SftpServer:
    """A running server with a key of its own. `key`: who has it may sign in."""

    host = "127.0.0.1"

    def __init__(self) -> None:
        program = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
        if program is None:
            pytest.skip("sshd is missing: Debian package openssh-server")
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-sshd-"))
        self.user = getpass.getuser()
        self.port = _free_port()
        key = asyncssh.generate_private_key("ssh-ed25519")
        self.key = key.export_private_key().decode()
        (self._folder / "authorized").write_bytes(key.export_public_key())
        (self._folder / "authorized").chmod(0o600)
        self.host_key = self._new_host_key()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def route(self, name: str = "bastion", host_key: str | None = None, targets: tuple[str, ...] = ()) -> Route:
        """A way through this server. `host_key`: the trusted one; None: its own."""
        trusted = self.host_key if host_key is None else host_key
        return Route(name, "ssh", self.host, self.port, self.user, key=self.key, host_key=trusted, targets=targets)

    def start(self) -> None:
        if os.getuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd of root asks for it
        (self._folder / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self._folder}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {self._folder}/authorized\nPasswordAuthentication no\nStrictModes no\n"
            "KbdInteractiveAuthentication no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n"
        )
        with (self._folder / "log").open("ab") as log:
            command = [self._program, "-D", "-e", "-f", str(self._folder / "config")]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._folder / "log").read_text())
            time.sleep(0.02)

    def stop(self) -> None:
        """End it with its connections."""
        if self._process is not None:
            subprocess.run(["pkill", "-KILL", "-P", str(self._process.pid)], check=False)
            self._process.kill()
            self._process.wait()

    def restart_with_another_key(self) -> None:
        self.stop()
        self.host_key = self._new_host_key()
        self.start()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _new_host_key(self) -> str:
        """Returns its fingerprint."""
        key = asyncssh.generate_private_key("ssh-ed25519")
        path = self._folder / "host"
        path.unlink(missing_ok=True)
        path.write_bytes(key.export_private_key())
        path.chmod(0o600)
        return key.get_fingerprint()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            return connection.recv(4) == b"SSH-"
    except OSError:
        return False
