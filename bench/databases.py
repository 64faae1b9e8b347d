"""Private servers with the table that is moved, and the peers' command lines.

One server of each sort holds sources and targets: two cores carry no more, and ours and the peers' share it alike.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tests.servers.base import Server
from tests.servers.mariadb import MariaDBServer, missing_programs
from tests.servers.postgresql import PostgreSQLServer

from zcbus.demo.embedded import program

ROWS = int(os.environ.get("BENCH_ROWS", "400000"))
MANY_ROWS = ROWS * 5 // 2
"""For what a person starts and waits for: orders and new processes take their time however little there is to do."""
LOADED_ROWS = ROWS * 5
"""Of full loads: as many as those by which their goals were set."""
SOURCE, TARGET, PEER_TARGET = "bench_source", "bench_target", "bench_peer"

COLUMNS = {
    "postgresql": """id bigint PRIMARY KEY, customer_id integer NOT NULL, quantity integer,
        price numeric(12,2) NOT NULL, status varchar(16) NOT NULL, email varchar(64) NOT NULL, note text,
        created_at timestamp NOT NULL, ship_date date, active boolean NOT NULL, score double precision""",
    "mysql": """id bigint PRIMARY KEY, customer_id integer NOT NULL, quantity integer, price numeric(12,2) NOT NULL,
        status varchar(16) NOT NULL, email varchar(64) NOT NULL, note text, created_at datetime(6) NOT NULL,
        ship_date date, active tinyint NOT NULL, score double""",
}
_VALUES = {
    "postgresql": """i, i % 1048576, CASE WHEN i % 10 > 0 THEN i * 7919 % 1000 END, (i * 104729 % 100000000) / 100.0,
        (ARRAY['new', 'paid', 'shipped', 'delivered', 'returned'])[1 + i % 5],
        'user' || i * 7 % 999983 || '@example' || i % 97 || '.com',
        CASE WHEN i % 5 > 0 THEN 'note ' || md5(i::text) || ' 备注 ' || repeat('x', (i % 40)::int) END,
        timestamp '2020-01-01' + i * 37 % 150000000 * interval '1 second' + i % 1000000 * interval '1 microsecond',
        CASE WHEN i % 4 > 0 THEN date '2020-01-01' + (i % 1800)::int END, i % 2 = 0,
        CASE WHEN i % 7 > 0 THEN sqrt(i) END""",
    "mysql": """i, i % 1048576, IF(i % 10 > 0, i * 7919 % 1000, NULL), (i * 104729 % 100000000) / 100.0,
        ELT(1 + i % 5, 'new', 'paid', 'shipped', 'delivered', 'returned'),
        CONCAT('user', i * 7 % 999983, '@example', i % 97, '.com'),
        IF(i % 5 > 0, CONCAT('note ', MD5(i), ' 备注 ', REPEAT('x', i % 40)), NULL),
        TIMESTAMPADD(MICROSECOND, i % 1000000, TIMESTAMPADD(SECOND, i * 37 % 150000000, '2020-01-01')),
        IF(i % 4 > 0, DATE_ADD('2020-01-01', INTERVAL i % 1800 DAY), NULL), i % 2 = 0,
        IF(i % 7 > 0, SQRT(i), NULL)""",
}


POSTGRESQL_SETTINGS = {
    "fsync": "on",
    "shared_buffers": "256MB",
    "max_wal_size": "4GB",
    "max_replication_slots": "50",
    "max_wal_senders": "50",
    "track_commit_timestamp": "on",
}
MARIADB_OPTIONS = ("--innodb-buffer-pool-size=256M", "--innodb-log-file-size=512M", "--max-allowed-packet=512M")


@dataclass(frozen=True)
class Servers:
    """What is running."""

    postgresql: PostgreSQLServer
    mariadb: MariaDBServer | None
    """None where MariaDB is not installed: its cases are left out."""

    def all(self) -> dict[str, Server]:
        """By the name in the table of results."""
        servers: dict[str, Server] = {"PostgreSQL": self.postgresql}
        if self.mariadb is not None:
            servers["MariaDB"] = self.mariadb
        return servers


@contextmanager
def running_servers(mariadb: bool = True) -> Iterator[Servers]:
    """Start private servers that sync their logs as servers in earnest do."""
    postgresql = PostgreSQLServer(16, POSTGRESQL_SETTINGS)
    second = None
    try:
        if mariadb and not missing_programs():
            second = MariaDBServer(*MARIADB_OPTIONS)
        yield Servers(postgresql, second)
    finally:
        postgresql.remove()
        if second is not None:
            second.remove()


def schema_of(server: Server, database: str = SOURCE) -> str:
    """The schema that `orders` lies in."""
    return "public" if server.kind == "postgresql" else database


def make_databases(server: Server) -> None:
    """Empty source and target databases."""
    for name in (SOURCE, TARGET, PEER_TARGET):
        server.drop_database(name)
        server.create_database(name)


def make_table(server: Server, database: str, rows: int = 0) -> None:
    """The table `orders` with so many rows."""
    server.execute(f"CREATE TABLE orders ({COLUMNS[server.kind]})", database)
    if rows:
        server.execute(insert_statement(server, 1, rows), database)
        server.execute("ANALYZE orders" if server.kind == "postgresql" else "ANALYZE TABLE orders", database)


def insert_statement(server: Server, first: int, last: int) -> str:
    """Adds rows by their ids."""
    numbers = {
        "postgresql": f"(SELECT i FROM generate_series({first}::bigint, {last}) i) n",
        "mysql": f"(SELECT seq AS i FROM seq_{first}_to_{last}) n",
    }
    return f"INSERT INTO orders SELECT {_VALUES[server.kind]} FROM {numbers[server.kind]}"


def psql(server: Server, database: str, statement: str) -> list[str]:
    """Command line of psql."""
    return [
        str(program("psql")),
        "-qX",
        "-v",
        "ON_ERROR_STOP=1",
        _postgresql_address(server, database),
        "-c",
        statement,
    ]


def _postgresql_address(server: Server, database: str) -> str:
    return f"host={server.host} port={server.port} user={server.user} password={server.password} dbname={database}"


def mariadb(server: Server, database: str, *arguments: str, tool: str = "mariadb") -> list[str]:
    """Command line of one of MariaDB's clients."""
    path = shutil.which(tool)
    assert path is not None, f"{tool} is missing"
    address = [
        f"--host={server.host}",
        f"--port={server.port}",
        f"--user={server.user}",
        f"--password={server.password}",
    ]
    return [path, "--no-defaults", *address, *arguments, *([database] if database else [])]


def pipe(*commands: Sequence[str], output: BinaryIO | None = None) -> None:
    """Run programs with each one's output as the next one's input, the last one's into a file if there is one. Fails
    if one of them does."""
    processes: list[subprocess.Popen[bytes]] = []
    for place, command in enumerate(commands):
        processes.append(
            subprocess.Popen(
                command,
                stdin=processes[-1].stdout if processes else subprocess.DEVNULL,
                stdout=subprocess.PIPE if place < len(commands) - 1 else output or subprocess.DEVNULL,
            )
        )
    for process in processes[:-1]:
        assert process.stdout is not None
        process.stdout.close()
    codes = [process.wait() for process in processes]
    assert codes == [0] * len(codes), f"{[Path(command[0]).name for command in commands]} ended with {codes}"
