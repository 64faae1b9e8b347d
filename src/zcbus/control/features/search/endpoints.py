"""The call of the search."""

from zcbus.control.features.search import service
from zcbus.control.features.search.schemas import SearchGroup, SearchRequest
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("search")


@api.read("/api/zcbus/resource/search", authorise("resource/search", Operation.VIEW))
def search(call: Call, body: SearchRequest) -> list[SearchGroup]:
    """The objects that the caller may see and whose names contain the text, by kind, the best hits first. Kinds without
    a hit are left out."""
    return service.search(call, body)
