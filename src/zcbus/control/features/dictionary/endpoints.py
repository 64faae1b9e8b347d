"""Calls of dictionaries."""

from zcbus.control.features.dictionary import service
from zcbus.control.features.dictionary.defaults import SERVICE_SUB_TYPE
from zcbus.control.features.dictionary.schemas import DictionaryItem, DictionaryRecord, DictionaryRequest
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("dictionary")


@api.read("/api/zcbus/common/findDictType", signed_in())
def find(call: Call, body: DictionaryRequest) -> DictionaryRecord:
    """A dictionary, with its items where they are asked for."""
    return service.get(call.connection, body.dict_type, with_items=body.enable_bus_dict_items)


@api.read("/api/zcbus/customer/getSubTypeList", signed_in())
def list_service_sub_types(call: Call, body: Empty) -> list[DictionaryItem]:
    """The kinds of services that run in containers."""
    return service.items(call.connection, SERVICE_SUB_TYPE)
