"""The databases' own replication of the table `orders`, to be stopped and started."""

from typing import Protocol

from tests.servers.base import Server
from tests.servers.mariadb import MariaDBServer
from tests.servers.postgresql import PostgreSQLServer

from bench.databases import PEER_TARGET, SOURCE


class Native(Protocol):
    """A replication from the source's database into another one that has the tables, made while nothing changes."""

    name: str
    server: Server
    database: str
    """Where the rows arrive."""

    def start(self) -> None:
        """Go on from where it was stopped."""

    def stop(self) -> None:
        """Once this returns nothing is applied any more."""

    def remove(self) -> None:
        """Leave nothing behind that would keep the servers from ending."""


class Subscription:
    """PostgreSQL's logical replication, between two databases of one server."""

    name = "native logical replication"
    database = PEER_TARGET

    def __init__(self, server: PostgreSQLServer) -> None:
        self.server: Server = server
        server.execute("CREATE PUBLICATION peer FOR TABLE orders, mark", SOURCE)
        # A subscription within one server would wait for itself if it made its slot.
        server.rows("SELECT pg_create_logical_replication_slot('peer', 'pgoutput')", SOURCE)
        address = f"host={server.host} port={server.port} user={server.user} password={server.password} dbname={SOURCE}"
        options = "create_slot = false, enabled = false, slot_name = 'peer', copy_data = false, binary = true"
        self._execute(f"CREATE SUBSCRIPTION peer CONNECTION '{address}' PUBLICATION peer WITH ({options})")

    def start(self) -> None:
        self._execute("ALTER SUBSCRIPTION peer ENABLE")

    def stop(self) -> None:
        self._execute("ALTER SUBSCRIPTION peer DISABLE")

    def remove(self) -> None:
        self._execute("ALTER SUBSCRIPTION peer SET (slot_name = NONE)")
        self._execute("DROP SUBSCRIPTION peer")

    def _execute(self, statement: str) -> None:
        self.server.execute(statement, self.database)


REPLICA_OPTIONS = ("--server-id=2", f"--replicate-do-db={SOURCE}", "--log-slave-updates=ON")
"""What arrives is logged whoever brings it, so that both sides of the comparison write the same."""


class Replica:
    """A MariaDB server, started with REPLICA_OPTIONS, as the replica of another one."""

    name = "native replica"
    database = SOURCE

    def __init__(self, source: MariaDBServer, replica: MariaDBServer) -> None:
        self.server: Server = replica
        file, offset = source.rows("SHOW MASTER STATUS")[0][:2]
        address = f"MASTER_HOST = '{source.host}', MASTER_PORT = {source.port}"
        account = f"MASTER_USER = '{source.user}', MASTER_PASSWORD = '{source.password}'"
        place = f"MASTER_LOG_FILE = '{file}', MASTER_LOG_POS = {offset}, MASTER_USE_GTID = no"
        replica.execute(f"CHANGE MASTER TO {address}, {account}, {place}")

    def start(self) -> None:
        self.server.execute("START SLAVE")

    def stop(self) -> None:
        self.server.execute("STOP SLAVE")

    def remove(self) -> None:
        self.server.execute("RESET SLAVE ALL")
