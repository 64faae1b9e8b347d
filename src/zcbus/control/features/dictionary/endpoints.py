"""Calls of dictionaries."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.dictionary import service
from zcbus.control.features.dictionary.built_in import SERVICE_SUB_TYPE
from zcbus.control.features.dictionary.schemas import (
    DICTIONARY_LIST,
    DictionaryChoice,
    DictionaryDeletion,
    DictionaryForm,
    DictionaryItem,
    DictionaryListRecord,
    DictionaryPageRequest,
    DictionaryRecord,
    DictionaryRequest,
)
from zcbus.control.platform.authorisation import authorise, signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("dictionary")


@api.read("/api/zcbus/common/findDictType", signed_in())
def find(call: Call, body: DictionaryRequest) -> DictionaryRecord:
    """A dictionary, with its items if requested."""
    return service.get(call.connection, call.services.catalogue, body.dict_type, with_items=body.enable_bus_dict_items)


@api.read("/api/zcbus/customer/getSubTypeList", signed_in())
def list_service_sub_types(call: Call, body: Empty) -> list[DictionaryItem]:
    """The kinds of services that run in containers."""
    found = service.get(call.connection, call.services.catalogue, SERVICE_SUB_TYPE, with_items=True)
    return found.bus_dict_items


@api.read("/api/zcbus/common/dictionary/page", authorise(service.MENU_KEY, Operation.VIEW), lists=DICTIONARY_LIST)
def page(call: Call, body: DictionaryPageRequest) -> Page[DictionaryListRecord]:
    """Dictionaries whose type or name holds the text searched for."""
    return service.page(call, body)


@api.read("/api/zcbus/common/dictionary/get", authorise(service.MENU_KEY, Operation.VIEW))
def get(call: Call, body: DictionaryChoice) -> DictionaryRecord:
    """One dictionary with its items in order."""
    return service.get(call.connection, call.services.catalogue, body.dict_type, with_items=True)


@api.change("/api/zcbus/common/dictionary/add", authorise(service.MENU_KEY, Operation.CREATE))
def add(call: Call, body: DictionaryForm) -> None:
    """Make a dictionary with its items."""
    call.audit.subject = body.dict_type
    service.add(call, body)


@api.change("/api/zcbus/common/dictionary/edit", authorise(service.MENU_KEY, Operation.EDIT))
def edit(call: Call, body: DictionaryForm) -> None:
    """Replace a dictionary's names and ordered items. Keys, values and order of a built-in one stay, and its names are
    the labels of lists."""
    call.audit.subject = body.dict_type
    call.audit.before = service.plain(call, body.dict_type)
    service.edit(call, body)


@api.change("/api/zcbus/common/dictionary/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete(call: Call, body: DictionaryDeletion) -> None:
    """Remove a dictionary that is not built in, with its items. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    call.audit.subject, call.audit.after = body.dict_type, None
    call.audit.before = service.plain(call, body.dict_type)
    service.delete(call.connection, body.dict_type)
