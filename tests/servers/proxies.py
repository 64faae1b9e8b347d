"""Private proxies of this host: SOCKS5 by microsocks, HTTP by tinyproxy. Both ask for an account."""

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from zcbus.kit.network import Route

_START_SECONDS = 20.0
USER, PASSWORD = "operator", "Let-me-out-1"


class Proxy:
    """A running proxy."""

    kind: ClassVar[Literal["socks5", "http"]]
    program: ClassVar[str]
    package: ClassVar[str]

    def __init__(self) -> None:
        found = shutil.which(self.program)
        if found is None:
            pytest.skip(f"{self.program} is missing: Debian package {self.package}")
        self._program = found
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-proxy-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def route(self, name: str = "proxy", password: str = PASSWORD) -> Route:
        return Route(name, self.kind, "127.0.0.1", self.port, USER, password)

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command(), stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._folder / "log").read_text())
            time.sleep(0.02)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True


class SocksProxy(Proxy):
    kind, program, package = "socks5", "microsocks", "microsocks"

    def _command(self) -> list[str]:
        return [self._program, "-i", "127.0.0.1", "-p", str(self.port), "-u", USER, "-P", PASSWORD]


class HttpProxy(Proxy):
    kind, program, package = "http", "tinyproxy", "tinyproxy-bin"

    def _command(self) -> list[str]:
        config = self._folder / "config"
        config.write_text(
            f"Port {self.port}\nListen 127.0.0.1\nTimeout 600\nMaxClients 100\nBasicAuth {USER} {PASSWORD}\n"
        )
        return [self._program, "-d", "-c", str(config)]
