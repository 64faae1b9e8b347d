"""A private OceanBase, from the wheel that carries its engine as a server of one node."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from tests.servers.mariadb import MariaDBServer
from tests.servers.maven import ServerNotAvailable
from tests.support.processes import die_with_parent


class OceanBaseServer(MariaDBServer):
    """As MariaDBServer; it has neither binlog nor temporary tables. Raises ServerNotAvailable."""

    kind = "oceanbase"

    def __init__(self) -> None:
        package = find_spec("pylibseekdb")
        if package is None or not package.submodule_search_locations:
            raise ServerNotAvailable("the wheel pylibseekdb is not installed")
        self._program = Path(package.submodule_search_locations[0]) / "seekdb"
        self._installed = False
        super().__init__()

    def start(self) -> None:
        self._program.chmod(0o755)  # wheels are unpacked without the right to run
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, "--nodaemon", "-P", str(self.port), "--base-dir", self._data, "--log-level", "ERROR"],
                stdout=log,
                stderr=log,
                cwd=self._data,
                env={"LD_LIBRARY_PATH": str(self._program.parent), "HOME": str(self._folder)},
                preexec_fn=die_with_parent,
            )
        if not self._installed:
            self.password, password = "", self.password
            self._wait_until_it_answers()
            # As the other servers of the tests: TIMESTAMP must arrive in UTC all the same.
            self._administer("SET GLOBAL time_zone = '+08:00'")
            self._administer(f"ALTER USER root IDENTIFIED BY '{password}'")
            self.password, self._installed = password, True
        self._wait_until_it_answers()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def _install(self) -> None:
        """It makes its data itself."""
        self._data.mkdir()
