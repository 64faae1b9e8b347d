"""Calls of APIs: edit, try, publish, take offline."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.data_service import apis, statements
from zcbus.control.features.data_service.endpoints import BASE, CREATE, DELETE, EDIT, OPERATE, VIEW
from zcbus.control.features.data_service.endpoints import api as api
from zcbus.control.features.data_service.schemas import (
    API_LIST,
    ApiChange,
    ApiDetail,
    ApiInput,
    ApiLine,
    ApiPageRequest,
    ApiTrial,
    ApiVersionChoice,
    ApiVersionRecord,
    Chosen,
    ChosenDeletion,
    TrialRows,
)
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page


@api.read(f"{BASE}/api/page", VIEW, lists=API_LIST)
def page_apis(call: Call, body: ApiPageRequest) -> Page[ApiLine]:
    """APIs, by path."""
    return answer_page(call, body, apis.listing(call.principal, body))


@api.read(f"{BASE}/api/get", VIEW)
def get_api(call: Call, body: Chosen) -> ApiDetail:
    """The draft of an API."""
    return apis.detail(apis.find(call.connection, call.principal, body.id), call.services.settings.gateway.tls)


@api.change(f"{BASE}/api/add", CREATE)
def add_api(call: Call, body: ApiInput) -> Chosen:
    """Create an API; callers can use it once it is published."""
    call.audit.subject = body.name
    return Chosen(id=apis.add(call, body))


@api.change(f"{BASE}/api/edit", EDIT)
def edit_api(call: Call, body: ApiChange) -> None:
    """Change the draft of an API."""
    row = apis.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, apis.plain(row)
    apis.edit(call, row, body)


@api.change(f"{BASE}/api/delete", DELETE)
def delete_api(call: Call, body: ChosenDeletion) -> None:
    """Remove an offline API with its versions. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    row = apis.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, apis.plain(row), None
    apis.delete(call, row)


@api.change(f"{BASE}/api/try", OPERATE, unit=Unit.OWN)
def try_api(call: Call, body: ApiTrial) -> TrialRows:
    """Run the draft once, where its data service runs, and answer the first rows."""
    return statements.try_out(call, body)


@api.change(f"{BASE}/api/publish", OPERATE)
def publish_api(call: Call, body: Chosen) -> ApiVersionChoice:
    """Publish the draft, as a new version where it differs from the newest."""
    row = apis.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, {"version": row.published}
    return ApiVersionChoice(id=row.id, number=apis.publish(call, row))


@api.change(f"{BASE}/api/offline", OPERATE)
def take_api_offline(call: Call, body: Chosen) -> None:
    """Take an API offline; its versions are kept."""
    row = apis.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, {"version": row.published}
    apis.take_offline(call, row)


@api.read(f"{BASE}/api/version/list", VIEW)
def list_versions(call: Call, body: Chosen) -> list[ApiVersionRecord]:
    """All versions of an API, the newest first."""
    return apis.versions(call.connection, apis.find(call.connection, call.principal, body.id))


@api.change(f"{BASE}/api/version/restore", OPERATE)
def restore_version(call: Call, body: ApiVersionChoice) -> None:
    """Publish an earlier version."""
    row = apis.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, {"version": row.published}
    apis.restore(call, row, body.number)
