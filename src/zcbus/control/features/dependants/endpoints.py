"""The call that asks what depends on an object."""

from zcbus.control.features.dependants import service
from zcbus.control.features.dependants.deletions import DELETIONS
from zcbus.control.features.dependants.schemas import DependantGroup, DependantsRequest
from zcbus.control.platform.authorisation import authorise_any
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("dependants")

_MENU_KEYS = dict.fromkeys(key for deletion in DELETIONS.values() for key in deletion.menu_keys)


@api.read("/api/zcbus/resource/dependants", authorise_any(*((key, Operation.DELETE) for key in _MENU_KEYS)))
def find(call: Call, body: DependantsRequest) -> list[DependantGroup]:
    """What depends on an object that is to be deleted: some of each kind, by name, and how many. Kinds without any are
    left out. The caller needs the right to delete the object's kind; dependants of other tenants do not count."""
    return service.dependants(call, body)
