"""A read-only MariaDB server as a source, read by a user that has no more rights than the connection test asks for."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from tests.integration.engine.running import Link, on_source

pytestmark = pytest.mark.server
PAIRS = [("mariadb_server", "postgres_server")]


@pytest.fixture
def reader(link: Link) -> Iterator[str]:
    """A user that only reads, while the server lets only its administrators write."""
    name = f"reader_{link.source_database}"
    link.source.execute(f"CREATE USER {name} IDENTIFIED BY 'reads'")
    link.source.execute(f"GRANT SELECT ON {link.source_database}.* TO {name}")
    link.source.execute(f"GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO {name}")
    link.source.execute("SET GLOBAL read_only = 1")
    yield name
    link.source.execute("SET GLOBAL read_only = 0")
    link.source.execute(f"DROP USER {name}")


def test_a_read_only_server_is_loaded_and_followed(link: Link, reader: str) -> None:
    on_source(link, "CREATE TABLE t (k int PRIMARY KEY, v text)", "INSERT INTO t VALUES (1, 'a'), (2, NULL)")
    link.tables = {"t": {}}
    link.set_tasks()
    source = link.publisher.task.source.model_copy(update={"user": reader, "password": SecretStr("reads")})
    link.publisher.task = link.publisher.task.model_copy(update={"source": source})
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, "UPDATE t SET v = 'b' WHERE k = 2", "INSERT INTO t VALUES (3, 'c')")
    link.wait_until_equal()
    link.publisher.kill()
    on_source(link, "DELETE FROM t WHERE k = 1")
    link.publisher.start()
    link.wait_until_equal()
