"""Installs the Debian packages that tests use where this user may, else says in one message how to install them.

Never fails: what is missing makes the tests that need it skip, with the reason.
"""

import os
import shutil
import subprocess
import sys
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
)


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
