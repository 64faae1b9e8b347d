"""Fills the small file system of a database server in Java, inside of a mount namespace of its own.

Arguments: an empty folder, on which a small tmpfs is mounted; the kind of the server. Ends with 0 if all held, with 77
where there is no tmpfs or no server.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

import pytest

from tests.servers.jdbc import DerbyServer, DriversFolder, H2Server, JavaServer
from tests.servers.maven import ServerNotAvailable
from zcbus.connectors.errors import TargetFull
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.registry import connector

ROOM = 24 << 20
SERVERS: dict[str, type[JavaServer]] = {"h2": H2Server, "derby": DerbyServer}
CHARACTERS, ROWS = 4_000, 500


def main() -> None:
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        print("no tmpfs can be mounted here")
        sys.exit(77)
    drivers = DriversFolder()
    tempfile.tempdir = str(folder)
    try:
        server = SERVERS[kind](drivers)
    except ServerNotAvailable as missing:
        print(missing)
        sys.exit(77)
    finally:
        tempfile.tempdir = None
    try:
        fill(kind, server)
    finally:
        server.remove()
        drivers.remove()


def fill(kind: str, server: JavaServer) -> None:
    """Insert rows until the server has no room for them: that is said to be a full disk."""
    dialect = cast("JdbcConnector", connector(kind)).dialect
    with Connection(dialect, server.options(), "target") as connection:
        connection.execute(f"CREATE TABLE FILLED (ID INTEGER PRIMARY KEY, V VARCHAR({CHARACTERS}))")
        connection.commit()
        with pytest.raises(TargetFull):
            insert(connection)


def insert(connection: Connection) -> None:
    """Twice as much as there is room for."""
    for begin in range(0, 2 * ROOM // CHARACTERS, ROWS):
        rows = [(str(begin + number), chr(97 + number % 26) * CHARACTERS) for number in range(ROWS)]
        connection.execute_many("INSERT INTO FILLED VALUES (?, ?)", rows, of="FILLED")
        connection.commit()


if __name__ == "__main__":
    main()
