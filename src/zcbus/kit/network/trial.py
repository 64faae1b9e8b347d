"""Trying a route before connections take it."""

import socket

from zcbus.kit.network.dialling import dial, reach
from zcbus.kit.network.route import Route, RouteFailed, RouteStep

Target = tuple[str, int]


def steps_of(way: Route, target: Target | None) -> list[RouteStep]:
    """The steps that a trial takes, in their order. A proxy asks for the account only with a server."""
    steps: list[RouteStep] = ["reach"]
    if way.kind == "ssh":
        steps += ["host-key", "sign-in"]
    elif way.leads_through and way.user and target:
        steps.append("sign-in")
    return [*steps, "target"] if target else steps


def try_route(way: Route, target: Target | None, seconds: float) -> None:
    """Take all steps. Raises RouteFailed, AddressRefused, OSError, UnicodeError."""
    if way.source:
        _require_source(way)
    if target is not None:
        dial(*target, seconds, way).close()
    elif way.kind == "ssh":
        from zcbus.kit.network import bastion

        bastion.sign_in(way, seconds)
    elif way.leads_through:
        reach(way, seconds).close()


def _require_source(way: Route) -> None:
    """Whether this host has the source address. Raises RouteFailed."""
    family = socket.AF_INET6 if ":" in way.source else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((way.source, 0))
        except OSError as error:
            raise RouteFailed(way, "reach", f"{way.source} is no address of this host: {error.strerror}") from error
