"""A TiDB that an operator runs, where ZCBUS_TEST_TIDB=user:password@host:port/database names it."""

import os
import re

from tests.servers.mariadb import MariaDBServer
from tests.servers.maven import ServerNotAvailable

_NAMED = re.compile(r"([^:]+):(.*)@([^@:/]+):(\d+)/(.+)")


class NamedTiDB(MariaDBServer):
    """The user may create databases, which the suite drops. Raises ServerNotAvailable. Another product's kind names
    the variable of that product."""

    kind = "tidb"

    def __init__(self) -> None:
        variable = f"ZCBUS_TEST_{self.kind.upper()}"
        named = _NAMED.fullmatch(os.environ.get(variable, ""))
        if named is None:
            raise ServerNotAvailable(f"preview: {variable}=user:password@host:port/database names no server")
        self.user, self.password, self.host, port, self._database = named.groups()
        self.port, self._process = int(port), None

    @property
    def default_database(self) -> str:
        return self._database

    def start(self) -> None:
        """It runs."""

    def kill(self) -> None:
        """It is not ours."""

    def remove(self) -> None:
        """It stays."""
