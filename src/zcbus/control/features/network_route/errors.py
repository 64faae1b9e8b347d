"""Errors of routes."""

from zcbus.control.platform.errors import BusinessError


class RouteNameTakenError(BusinessError):
    """Facts: name."""

    code = "route-name-taken"
    field = "name"


class RouteNameStaysError(BusinessError):
    """Connections name a route, so its name cannot change. Facts: name."""

    code = "route-name-stays"
    field = "name"


class RouteUsedError(BusinessError):
    """Connections take the route. Facts: name, count, users (names of some)."""

    code = "route-used"


class RouteSecretNeededError(BusinessError):
    """A stored secret is for the server and user that it was given for; or none was given."""

    code = "route-secret-needed"
    field = "password"


class TooManyRoutesError(BusinessError):
    """Facts: most."""

    code = "routes-full"
