"""From the connections of tasks to connectors."""

from collections.abc import Callable

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Connector
from zcbus.protocol.base import Connection

Connectors = Callable[[str], Connector]
"""Makes the connector of a kind; tests pass their own."""

registered: Connectors = connector


def options_of(connection: Connection) -> ConnectionOptions:
    """What a connector takes."""
    return ConnectionOptions(
        kind=connection.kind,
        host=connection.host,
        port=connection.port,
        user=connection.user,
        password=connection.password.get_secret_value(),
        database=connection.database,
        tls=connection.tls,
        load_type=connection.load_type,
    )
