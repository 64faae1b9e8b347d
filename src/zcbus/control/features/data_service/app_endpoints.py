"""Calls of API apps, and of the log of calls."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.data_service import apps, log
from zcbus.control.features.data_service.api_endpoints import api as api
from zcbus.control.features.data_service.endpoints import APPS, BASE, LOG
from zcbus.control.features.data_service.schemas import (
    APP_LIST,
    CALL_LIST,
    AppChange,
    AppInput,
    AppRecord,
    AppSecret,
    CallRecord,
    Chosen,
    ChosenDeletion,
    LogPageRequest,
    SearchPageRequest,
)
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation

_VIEW = authorise_any((APPS, Operation.VIEW), (LOG, Operation.VIEW))
_EDIT = authorise(APPS, Operation.EDIT)


@api.read(f"{BASE}/app/page", _VIEW, lists=APP_LIST)
def page_apps(call: Call, body: SearchPageRequest) -> Page[AppRecord]:
    """API apps, by name."""
    return answer_page(call, body, apps.listing(call.connection, call.principal, body))


@api.change(f"{BASE}/app/add", authorise(APPS, Operation.CREATE))
def add_app(call: Call, body: AppInput) -> AppSecret:
    """Make an app; its secret is answered this once."""
    call.audit.subject = body.name
    return apps.add(call, body)


@api.change(f"{BASE}/app/edit", _EDIT)
def edit_app(call: Call, body: AppChange) -> None:
    """Change an app; it counts at once."""
    row = apps.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, apps.plain(call.connection, row)
    apps.edit(call, row, body)


@api.change(f"{BASE}/app/secret/renew", _EDIT)
def renew_secret(call: Call, body: Chosen) -> AppSecret:
    """Replace an app's secret; the new one is answered this once, the old one is invalid."""
    row = apps.find(call.connection, call.principal, body.id)
    call.audit.subject = row.name
    return apps.renew(call, row)


@api.change(f"{BASE}/app/delete", authorise(APPS, Operation.DELETE))
def delete_app(call: Call, body: ChosenDeletion) -> None:
    """Remove an app with its grants. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = apps.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, apps.plain(call.connection, row)
    call.audit.after = None
    apps.delete(call, row)


@api.read(f"{BASE}/log/page", authorise(LOG, Operation.VIEW), lists=CALL_LIST)
def page_calls(call: Call, body: LogPageRequest) -> Page[CallRecord]:
    """Calls that were answered, the newest first."""
    return answer_page(call, body, log.listing(call, body))
