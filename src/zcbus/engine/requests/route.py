"""Trying a route, step by step."""

from zcbus.engine.connections import route_of
from zcbus.kit.network import Route, RouteFailed
from zcbus.kit.network.route import RouteStep
from zcbus.kit.network.trial import steps_of, try_route
from zcbus.protocol.answers import Check, RouteTest
from zcbus.protocol.requests import TestRoute

_SECONDS = 10.0


def test_route(request: TestRoute) -> RouteTest:
    """The steps up to the first that fails."""
    route = route_of(request.route, request.tenant)
    route.secrets()  # says which reference leads nowhere
    target = (request.host, request.port) if request.host else None
    steps = steps_of(route, target)
    try:
        try_route(route, target, _SECONDS)
    except RouteFailed as error:
        passed = steps[: steps.index(error.step)] if error.step in steps else []
        failed = Check(item=error.step, statement="", ok=False, blocking=True, detail=error.detail)
        return RouteTest(ok=False, checks=(*_passed(route, target, passed), failed), shown_key=error.shown)
    except (OSError, UnicodeError) as error:
        failed = Check(item="target" if target else "reach", statement="", ok=False, blocking=True, detail=str(error))
        return RouteTest(ok=False, checks=(failed,))
    return RouteTest(ok=True, checks=tuple(_passed(route, target, steps)), shown_key=route.host_key)


def _passed(route: Route, target: tuple[str, int] | None, steps: list[RouteStep]) -> list[Check]:
    details = {
        "reach": f"{route.host}:{route.port}" if route.leads_through else route.source,
        "host-key": route.host_key,
        "sign-in": route.user,
        "target": f"{target[0]}:{target[1]}" if target else "",
    }
    return [Check(item=step, statement="", ok=True, blocking=True, detail=details[step]) for step in steps]
