"""Calls about the platform itself."""

from importlib.metadata import version

from zcbus.control.platform.authorisation import public
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("common")

_SHOWN = public("the console's frame shows it, before signing in too")


@api.read("/api/zcbus/common/project/type", _SHOWN, method="POST", unit=Unit.OWN, listed=False)
@api.read("/api/zcbus/common/project/type", _SHOWN, method="GET", unit=Unit.OWN)
def project_type(call: Call) -> int:
    """How the platform is deployed: 0 standalone, 1 cluster, 2 multi-tenant."""
    return call.services.settings.deployment


@api.read("/api/zcbus/common/project/version", _SHOWN, method="POST", unit=Unit.OWN, listed=False)
@api.read("/api/zcbus/common/project/version", _SHOWN, method="GET", unit=Unit.OWN)
def project_version(call: Call) -> str:
    """The version of this program."""
    return version("zcbus")
