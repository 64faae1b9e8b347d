"""Installs the Debian packages that tests use where this user may, else says in one message how to install them.

Never fails: what is missing makes the tests that need it skip, with the reason.
"""

import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Package:
    """A Debian package and what of it tells that it is there."""

    name: str
    program: str = ""
    path: str = ""

    def missing(self) -> bool:
        if self.path:
            return not Path(self.path).exists()
        return shutil.which(self.program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is None


# The core packages bring MariaDB's programs without setting up a server of the machine.
PACKAGES = (
    Package("mariadb-server-core", program="mariadbd"),
    Package("mariadb-client", program="mariadb-binlog"),
    Package("mosquitto", program="mosquitto"),
    Package("rabbitmq-server", path="/usr/lib/rabbitmq/bin/rabbitmq-server"),
    Package("openssh-server", program="sshd"),
    Package("microsocks", program="microsocks"),
    Package("tinyproxy-bin", program="tinyproxy"),
    Package("slapd", program="slapd"),
    Package("xmlsec1", program="xmlsec1"),
    Package("prometheus", program="prometheus"),
    Package("victoria-metrics", program="victoria-metrics"),
    Package("chromium", program="chromium"),
    # The same browser, which costs a fifth less; where a distribution lacks it, the tests take the other.
    Package("chromium-headless-shell", program="chromium-headless-shell"),
    Package("fonts-noto-cjk", path="/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    # Maven fetches servers that Debian lacks (Kafka, OpenSearch, other versions of databases); Java runs it, Kafka and
    # OpenSearch.
    Package("default-jre-headless", program="java"),
    Package("maven", program="mvn"),
    # It builds the server of documents.
    Package("golang-go", program="go"),
)
_ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = "tests/servers/documents"
"""A server of documents that speaks MongoDB's protocol, which is built here."""
_BUILD_SECONDS = 900


def main() -> None:
    missing = [package.name for package in PACKAGES if package.missing()]
    if missing and os.getuid() == 0 and shutil.which("apt-get"):
        install(missing)
        missing = [package.name for package in PACKAGES if package.missing()]
    if missing:
        print(
            "Some tests will be skipped or slower, programs are missing. On Debian or Ubuntu install them with:\n"
            f"    sudo apt-get install --no-install-recommends {' '.join(missing)}",
            file=sys.stderr,
        )
    build_documents()


def documents_program() -> Path:
    """Where the server of documents is, once it is built."""
    source = _ROOT / DOCUMENTS
    version = zlib.crc32(b"".join((source / name).read_bytes() for name in ("go.sum", "main.go")))
    return _ROOT / "build" / "test-servers" / f"documents-{version:08x}"


def build_documents() -> None:
    """Once for each version of it; its modules come by Go's own means."""
    program, go = documents_program(), shutil.which("go")
    if program.exists() or go is None:
        return
    print(f"Building {DOCUMENTS}", flush=True)
    program.parent.mkdir(parents=True, exist_ok=True)
    building = program.with_suffix(f".{os.getpid()}")
    try:
        done = subprocess.run(
            [go, "build", "-o", str(building), "."],
            cwd=_ROOT / DOCUMENTS,
            env={**os.environ, "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_BUILD_SECONDS,
        )
    except subprocess.TimeoutExpired:
        print(f"{DOCUMENTS} was not built within {_BUILD_SECONDS} s", file=sys.stderr)
        return
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        return
    building.rename(program)


def install(names: list[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    print(f"Installing {', '.join(names)}", flush=True)
    # Each by itself: one that the distribution lacks keeps no other away.
    installs = [["install", "-y", "-qq", "--no-install-recommends", name] for name in names]
    for command in (["update", "-qq"], *installs):
        done = subprocess.run(
            ["apt-get", *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            print(done.stdout + done.stderr, file=sys.stderr)


if __name__ == "__main__":
    main()
