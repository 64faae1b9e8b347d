"""A private FTP server of the files of a folder."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.certificate import self_signed

_START_SECONDS = 20.0


class FtpServer:
    """A running server: pyftpdlib. `certificate`: path of what vouches for it."""

    host, user, password = "127.0.0.1", "shop", "s3cret-of-shop"

    def __init__(
        self, folder: Path, *, tls: str = "none", facts: bool = True, names: str = "utf-8", idle: int = 300
    ) -> None:
        """`tls`: none, explicit, implicit. `facts`: whether it has MLSD. `names`: their encoding. `idle`: seconds after
        which it ends connections without commands."""
        self._own = Path(tempfile.mkdtemp(prefix="zcbus-ftp-"))
        certificate, key = self_signed()
        self.certificate = str(self._own / "certificate.pem")
        Path(self.certificate).write_bytes(certificate)
        (self._own / "both.pem").write_bytes(key + certificate)
        self.port, self.tls, self.names = _free_port(), tls, names
        self._said = {
            "host": self.host,
            "port": self.port,
            "user": self.user,
            "password": self.password,
            "folder": str(folder),
            "certificate": str(self._own / "both.pem"),
            "tls": tls,
            "facts": facts,
            "names": names,
            "idle": idle,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("ftp_program.py")), json.dumps(self._said)]
        with (self._own / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self.log())
            time.sleep(0.02)

    def log(self) -> str:
        """What it wrote."""
        return (self._own / "log").read_text(errors="replace")

    def stop(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._own, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False
