"""A private web server of the files of a folder."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.certificate import self_signed

_START_SECONDS = 30.0


class WebServer:
    """A running server; see web_program. `certificate`: path of what vouches for it."""

    host, user, secret = "127.0.0.1", "shop", "s3cret-of-shop"

    def __init__(self, folder: Path, *, tls: bool = False, elsewhere: str = "") -> None:
        """`elsewhere`: origin of another server, to which paths below `away/` lead."""
        self._own = Path(tempfile.mkdtemp(prefix="zcbus-web-"))
        certificate, key = self_signed()
        self.certificate = str(self._own / "certificate.pem")
        Path(self.certificate).write_bytes(certificate)
        (self._own / "both.pem").write_bytes(key + certificate)
        self.port = _free_port()
        self.origin = f"{'https' if tls else 'http'}://{self.host}:{self.port}"
        self._said = {
            "host": self.host,
            "port": self.port,
            "user": self.user,
            "secret": self.secret,
            "folder": str(folder),
            "tls": tls,
            "certificate": str(self._own / "both.pem"),
            "elsewhere": elsewhere,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("web_program.py")), json.dumps(self._said)]
        with (self._own / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self.log())
            time.sleep(0.02)

    def log(self) -> str:
        """What it was asked."""
        return (self._own / "log").read_text(errors="replace")

    def requests(self) -> list[str]:
        """Methods and paths, in their order."""
        lines = [line.split(" ") for line in self.log().splitlines() if line.count(" ") >= 2]
        return [f"{line[0]} {line[1]}" for line in lines]

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
