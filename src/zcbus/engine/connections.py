"""Connectors for the connections of tasks."""

from collections.abc import Callable
from typing import Any

from zcbus.connectors.options import KindOptions, parse_referring, references_in
from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import Connector
from zcbus.engine.state_logs import keep_states_on_the_bus
from zcbus.kit.network import Route
from zcbus.kit.secret_references import KeptElsewhere, parse_reference
from zcbus.protocol.base import Connection, NetworkRoute

Connectors = Callable[[str], Connector]
"""Creates the connector of a kind; tests pass their own."""

registered: Connectors = connector

# Any connector that is made here may be of a target whose state the bus keeps.
keep_states_on_the_bus()


def options_of(connection: Connection) -> Any:
    """Options of a connection's connector. Raises UnknownKind, OptionsInvalid, RouteMissing, and where a secret is kept
    elsewhere, what `kit.secret_references.resolve` raises."""
    secrets = {name: secret.get_secret_value() for name, secret in connection.secrets.items()}
    model = spec_of(connection.kind).model
    session = {"tenant": connection.tenant, "load_type": connection.load_type, "via": _route(connection)}
    references = references_in(model, connection.options)
    options = parse_referring(model, {**connection.options, **secrets}, references, **session)
    require_route(options)
    # Say at once what the first connection would.
    options.secrets()
    if options.via is not None:
        options.via.secrets()
    return options


def route_of(message: NetworkRoute, tenant: str) -> Route:
    """A tenant's route as connections take it."""
    secrets: dict[str, str | KeptElsewhere] = {
        "password": message.password.get_secret_value(),
        "key": message.key.get_secret_value(),
    }
    for name, text in message.references.items():
        reference = parse_reference(text) if name in secrets else None
        if reference is not None:
            secrets[name] = KeptElsewhere(reference, tenant)
    return Route(**{**message.model_dump(exclude={"references"}), **secrets})


def _route(connection: Connection) -> Route | None:
    message = connection.route or connection.referring_route
    return route_of(message, connection.tenant) if message is not None else None


def require_route(options: KindOptions) -> None:
    """Say at once what the first connection would. Raises RouteMissing."""
    _ = options.way
