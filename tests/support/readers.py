"""Accounts that may read a database and nothing else, as data services use them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tests.servers.base import Server
from zcbus.connectors.options import ConnectionOptions

_PASSWORD = "secret-of-a-reader"


@contextmanager
def reader_of(server: Server, database: str) -> Iterator[ConnectionOptions]:
    """A reader of all tables of a database, those included that are created later."""
    name = f"reader_{database}"
    if server.kind == "postgresql":
        server.execute(f"CREATE USER {name} PASSWORD '{_PASSWORD}'")
        server.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}", database)
        server.execute(f"ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO {name}", database)
    else:
        server.execute(f"CREATE USER {name}@'%' IDENTIFIED BY '{_PASSWORD}'")
        server.execute(f"GRANT SELECT, EXECUTE ON {database}.* TO {name}@'%'")
    try:
        yield replace(server.options(database), user=name, password=_PASSWORD)
    finally:
        if server.kind == "postgresql":
            server.execute(f"DROP OWNED BY {name}", database)
            server.execute(f"DROP USER {name}")
        else:
            server.execute(f"DROP USER {name}@'%'")
