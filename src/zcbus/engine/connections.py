"""Connectors for the connections of tasks."""

from collections.abc import Callable
from typing import Any

from zcbus.connectors.options import parse
from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import Connector
from zcbus.protocol.base import Connection

Connectors = Callable[[str], Connector]
"""Creates the connector of a kind; tests pass their own."""

registered: Connectors = connector


def options_of(connection: Connection) -> Any:
    """Options of a connection's connector. Raises UnknownKind, OptionsInvalid."""
    secrets = {name: secret.get_secret_value() for name, secret in connection.secrets.items()}
    model = spec_of(connection.kind).model
    return parse(model, {**connection.options, **secrets}, tenant=connection.tenant, load_type=connection.load_type)
