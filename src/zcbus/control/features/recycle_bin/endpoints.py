"""Calls of the recycle bin."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.recycle_bin import service
from zcbus.control.features.recycle_bin.schemas import (
    RECYCLED,
    RecycleBinEmptied,
    RecycleBinEmptying,
    RecycledChoice,
    RecycledDeletion,
    RecycledPageRequest,
    RecycledRecord,
    RestorePreview,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("recycle-bin")

MENU_KEY = "resource/recycleBin"
_BASE = "/api/zcbus/resource/recycleBin"
_NAMES_LOGGED = 100


@api.read(f"{_BASE}/page", authorise(MENU_KEY, Operation.VIEW), lists=RECYCLED)
def page(call: Call, body: RecycledPageRequest) -> Page[RecycledRecord]:
    """Deleted objects of the kinds that the caller may view."""
    return answer_page(call, body, service.listing(call.principal, body))


@api.read(f"{_BASE}/preview", authorise(MENU_KEY, Operation.VIEW))
def preview(call: Call, body: RecycledChoice) -> RestorePreview:
    """Obstacles to restoring an object."""
    return service.preview(call, service.find(call, body.id))


@api.change(f"{_BASE}/restore", authorise(MENU_KEY, Operation.EDIT))
def restore(call: Call, body: RecycledChoice) -> None:
    """Restore an object as it was deleted. The caller needs the right to create its kind as well."""
    row = service.find(call, body.id)
    call.audit.subject, call.audit.after = row.name, RecycledRecord.of_row(row).model_dump(mode="json")
    service.restore(call, row)


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete(call: Call, body: RecycledDeletion) -> None:
    """Delete an object for good. The caller needs the right to delete its kind as well. Codes 40104 and 40105 speak of
    the captcha."""
    confirm_deletion(call, body)
    row = service.find(call, body.id)
    call.audit.subject, call.audit.before = row.name, RecycledRecord.of_row(row).model_dump(mode="json")
    service.purge(call, row)


@api.change(f"{_BASE}/empty", authorise(MENU_KEY, Operation.DELETE))
def empty(call: Call, body: RecycleBinEmptying) -> RecycleBinEmptied:
    """Delete all objects for good whose kinds the caller may view and delete. Codes 40104 and 40105 speak of the
    captcha."""
    confirm_deletion(call, body)
    names = service.empty(call, body.deleted_until)
    call.audit.before = {"objects": names[:_NAMES_LOGGED], "count": len(names)}
    return RecycleBinEmptied(deleted=len(names))
