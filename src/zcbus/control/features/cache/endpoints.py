"""Calls of cache management."""

from zcbus.control.features.cache import service
from zcbus.control.features.cache.schemas import (
    CACHES,
    CacheChoice,
    CacheCleared,
    CachePage,
    CachePageRequest,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.paging import page_of
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("cache")

MENU_KEY = "system/cache-management"
_BASE = "/api/zcbus/system/cache"


@api.read(f"{_BASE}/page", authorise(MENU_KEY, Operation.VIEW), unit=Unit.OWN, lists=CACHES)
def page(call: Call, body: CachePageRequest) -> CachePage:
    """Caches of the control plane that answers, and those in the store that all control planes share."""
    text = body.search.strip().casefold()
    found = page_of((one for one in service.records(call) if text in one.title.casefold()), body, CACHES)
    return CachePage(
        records=found.records, total=found.total, instance=service.instance(), since=call.services.started_at
    )


@api.change(f"{_BASE}/clear", authorise(MENU_KEY, Operation.OPERATE), unit=Unit.OWN)
def clear(call: Call, body: CacheChoice) -> CacheCleared:
    """Remove a cache's entries: of the control plane that answers, or of the shared store. Only callers who see all
    tenants may: a cache is everybody's."""
    if not call.principal.spans_tenants:
        raise ForbiddenError(menuKey=MENU_KEY, operation=Operation.OPERATE.value)
    cache = service.find(call, body.name)
    call.audit.subject = service.title(call, cache)
    removed = cache.clear(call.services)
    call.audit.after = {"cache": cache.name, "removed": removed, "instance": service.instance()}
    return CacheCleared(removed=removed)
