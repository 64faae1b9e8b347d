"""Calls of drivers.

POST /api/deploy/upload {name, size}      → {id}, then parts and `upload/finish` as for every upload
POST deploy/driver/add {uploadId, …}      → the driver, which agents fetch
"""

from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from zcbus.control.features.captcha.deletion import confirm_deletion_apart
from zcbus.control.features.driver import distribution, service
from zcbus.control.features.driver.schemas import (
    DRIVER_HOSTS,
    DRIVER_USERS,
    DRIVERS,
    DriverDeletion,
    DriverDistribution,
    DriverDownload,
    DriverHost,
    DriverHostPageRequest,
    DriverInput,
    DriverName,
    DriverPageRequest,
    DriverRecord,
    DriverRules,
    DriverUser,
    DriverUserPageRequest,
    Id,
)
from zcbus.control.features.upload import service as uploads
from zcbus.control.features.upload.endpoints import begun
from zcbus.control.features.upload.schemas import UploadBegin, UploadRecord
from zcbus.control.platform.authorisation import agents_only, authorise, authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page, page_of
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty
from zcbus.control.store.columns import ID_LENGTH

api = Api("driver")

MENU_KEY = "resource/drivers"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_CREATE = authorise(MENU_KEY, Operation.CREATE)
# Forms of connections offer the names.
_VIEW_NAMES = authorise_any(
    *((key, Operation.VIEW) for key in (MENU_KEY, "sync-link", "publish", "subscribe", "databus", "stream")),
    ("data-service/api-group", Operation.VIEW),
)
_BASE = "/api/zcbus/deploy/driver"


@api.change("/api/deploy/upload", _CREATE)
def begin(call: Call, body: UploadBegin) -> UploadRecord:
    """Begin the upload of a driver: a jar file. Only its uploader makes it a driver, with `deploy/driver/add`."""
    return begun(call, uploads.begin(call, body, "driver"))


@api.read(f"{_BASE}/rules", _VIEW)
def get_rules(call: Call, body: Empty) -> DriverRules:
    """What an upload needs."""
    return service.rules(call)


@api.read(f"{_BASE}/page", _VIEW, lists=DRIVERS)
def page(call: Call, body: DriverPageRequest) -> Page[DriverRecord]:
    """Drivers that agents keep on their hosts."""
    return answer_page(call, body, service.listing(call, body))


@api.read(f"{_BASE}/list", _VIEW_NAMES)
def list_names(call: Call, body: Empty) -> list[DriverName]:
    """Names of drivers, for forms of connections."""
    return service.names(call)


@api.read(f"{_BASE}/download/list", _VIEW_NAMES)
def list_downloads(call: Call, body: Empty) -> list[DriverDownload]:
    """Drivers and packages of agents, for the page of downloads."""
    return service.downloads(call.connection, call.principal)


@api.read(f"{_BASE}/download/file", _VIEW_NAMES, method="GET", unit=Unit.OWN)
def get_download(call: Call, id: Annotated[Id, Query()]) -> StreamingResponse:  # noqa: A002  the name on the wire
    """The content of one of them, to be saved."""
    its, content = service.content(call, id)
    headers = {"Content-Disposition": f'attachment; filename="{its.name}"', "Content-Length": str(its.size)}
    return StreamingResponse(content, media_type="application/octet-stream", headers=headers)


@api.read(f"{_BASE}/host/page", _VIEW, lists=DRIVER_HOSTS)
def page_hosts(call: Call, body: DriverHostPageRequest) -> Page[DriverHost]:
    """Hosts that should keep a driver, and how far each is."""
    text = body.search.strip().casefold()
    found = (one for one in service.hosts(call, body.id) if text in f"{one.host}\n{one.container_name}".casefold())
    return page_of([one for one in found if body.state in (None, one.state)], body, DRIVER_HOSTS)


@api.read(f"{_BASE}/user/page", _VIEW, lists=DRIVER_USERS)
def page_users(call: Call, body: DriverUserPageRequest) -> Page[DriverUser]:
    """Connections that take a driver."""
    text = body.search.strip().casefold()
    found = service.users(call.connection, body.id)
    return page_of([one for one in found if text in f"{one.name}\n{one.place}".casefold()], body, DRIVER_USERS)


@api.change(f"{_BASE}/add", _CREATE, unit=Unit.OWN)
def add(call: Call, body: DriverInput) -> DriverRecord:
    """Make an uploaded file a driver, which the agents of its containers fetch."""
    call.audit.subject = body.name
    done = service.add(call, body)
    call.audit.after = _plain(done)
    return done


@api.change(f"{_BASE}/distribute", authorise(MENU_KEY, Operation.EDIT))
def distribute(call: Call, body: DriverDistribution) -> DriverRecord:
    """Change the containers of a driver; hosts of the others delete it."""
    before = service.find(call.connection, body.id)
    call.audit.subject, call.audit.before = before.name, _plain(before)
    done = service.distribute(call, body.id, body)
    call.audit.after = _plain(done)
    return done


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE), unit=Unit.OWN)
def delete(call: Call, body: DriverDeletion) -> None:
    """Remove a driver: its hosts delete it, and connections that need it fail. Codes 40104 and 40105 speak of the
    captcha."""
    confirm_deletion_apart(call, body)
    with call.services.database.read() as store:
        before = service.find(store, body.id)
    call.audit.subject, call.audit.before, call.audit.after = before.name, _plain(before), None
    service.remove(call, body.id)


@api.read("/api/zcbus/agent/driver/file", agents_only(), method="GET", unit=Unit.OWN)
def file(
    call: Call,
    agent: Annotated[str, Query(min_length=1, max_length=ID_LENGTH)],
    id: Annotated[Id, Query()],  # noqa: A002  the name on the wire
) -> StreamingResponse:
    """The file of a driver, for an agent that should keep it."""
    return StreamingResponse(distribution.file_for_agent(call, agent, id), media_type="application/octet-stream")


def _plain(record: DriverRecord) -> dict[str, object]:
    kept = {"id", "name", "kind", "version", "size", "sha256", "signer", "everywhere", "containers"}
    return record.model_dump(mode="json", by_alias=True, include=kept)
