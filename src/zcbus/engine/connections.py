"""Connectors for the connections of tasks."""

from collections.abc import Callable
from typing import Any

from zcbus.connectors.options import KindOptions, parse_referring, references_in
from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import Connector
from zcbus.kit.network import Route
from zcbus.protocol.base import Connection, NetworkRoute

Connectors = Callable[[str], Connector]
"""Creates the connector of a kind; tests pass their own."""

registered: Connectors = connector


def options_of(connection: Connection) -> Any:
    """Options of a connection's connector. Raises UnknownKind, OptionsInvalid, RouteMissing, and where a secret is kept
    elsewhere, what `kit.secret_references.resolve` raises."""
    secrets = {name: secret.get_secret_value() for name, secret in connection.secrets.items()}
    model = spec_of(connection.kind).model
    session = {"tenant": connection.tenant, "load_type": connection.load_type, "via": route_of(connection.route)}
    references = references_in(model, connection.options)
    options = parse_referring(model, {**connection.options, **secrets}, references, **session)
    require_route(options)
    options.secrets()  # says at once what the first connection would
    return options


def route_of(message: NetworkRoute | None) -> Route | None:
    """A route as connections take it."""
    if message is None:
        return None
    secrets = {"password": message.password.get_secret_value(), "key": message.key.get_secret_value()}
    return Route(**{**message.model_dump(), **secrets})


def require_route(options: KindOptions) -> None:
    """Say at once what the first connection would. Raises RouteMissing."""
    _ = options.way
