"""A MySQL or MariaDB server that follows another one by GTID, both with nothing in their logs before."""

from tests.servers.mariadb import MariaDBServer
from tests.servers.mysql import MySQLServer

MYSQL_OPTIONS = ("--gtid-mode=ON", "--enforce-gtid-consistency=ON")


def start_pair(kind: type[MariaDBServer]) -> tuple[MariaDBServer, MariaDBServer]:
    """A primary, and a replica that takes no writes. Raises ServerNotAvailable."""
    own = MYSQL_OPTIONS if issubclass(kind, MySQLServer) else ()
    primary = kind("--server-id=11", "--log-slave-updates", *own)
    try:
        replica = kind("--server-id=12", "--log-slave-updates", *own)
    except BaseException:
        primary.remove()
        raise
    for server in (primary, replica):
        server.execute("RESET MASTER")
    follow(replica, primary)
    return primary, replica


def follow(replica: MariaDBServer, primary: MariaDBServer) -> None:
    """Make a server the replica of another one."""
    is_mysql = isinstance(replica, MySQLServer)
    how = "MASTER_AUTO_POSITION=1, GET_MASTER_PUBLIC_KEY=1" if is_mysql else "MASTER_USE_GTID=slave_pos"
    replica.execute(
        f"CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={primary.port}, MASTER_USER='{primary.user}', "
        f"MASTER_PASSWORD='{primary.password}', MASTER_CONNECT_RETRY=1, {how}; START SLAVE; SET GLOBAL read_only = ON"
    )


def promote(replica: MariaDBServer) -> None:
    """Have it take writes and follow no primary."""
    replica.execute("STOP SLAVE; RESET SLAVE ALL; SET GLOBAL read_only = OFF")
