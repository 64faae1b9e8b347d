"""Calls of uploads. Each path of the specification begins an upload of its purpose; the parts then go one way.

    POST /api/localStorage {name, size}            → {id, received: 0, partBytes}
    POST upload/part?id=…&offset=0&sha256=…  bytes → {received}, and so on
    POST upload/finish {id}                        → {state: "ready", kind, sha256}

An upload that was interrupted continues at `received` of `upload/state`.
"""

from typing import Annotated
from urllib.parse import quote

from fastapi import Body, Query
from fastapi.responses import StreamingResponse
from pydantic import WithJsonSchema

from zcbus.control.features.captcha.deletion import confirm_deletion_apart
from zcbus.control.features.upload import avatar, service
from zcbus.control.features.upload.schemas import (
    PART_BYTES,
    SHA256,
    UPLOADS,
    Avatar,
    Id,
    UploadBegin,
    UploadChoice,
    UploadDeletion,
    UploadLimits,
    UploadPageRequest,
    UploadRecord,
)
from zcbus.control.platform.authorisation import authorise, authorise_any, signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("upload")

MENU_KEY = "resource/uploads"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_CREATE = authorise(MENU_KEY, Operation.CREATE)
# Parts go one way, whatever a file is for.
_UPLOADERS = authorise_any(
    (MENU_KEY, Operation.CREATE),
    ("Resource.SqlWrite", Operation.OPERATE),
    ("resource/drivers", Operation.CREATE),
)
_BASE = "/api/zcbus/upload"
_BINARY = "application/octet-stream"
_BYTES = WithJsonSchema({"type": "string", "format": "binary"})


@api.change("/api/localStorage", _CREATE)
def begin_file(call: Call, body: UploadBegin) -> UploadRecord:
    """Begin the upload of a file that is kept in the platform's folder."""
    return begun(call, service.begin(call, body, "file"))


@api.change("/api/localStorage/pictures", _CREATE)
def begin_picture(call: Call, body: UploadBegin) -> UploadRecord:
    """Begin the upload of a picture: PNG, JPEG, WebP or GIF."""
    return begun(call, service.begin(call, body, "picture"))


@api.change("/api/qiNiuContent", _CREATE)
def begin_object(call: Call, body: UploadBegin) -> UploadRecord:
    """Begin the upload of a file that is kept in the object store; in the platform's folder where none is set."""
    return begun(call, service.begin(call, body, "file", "object"))


@api.change(f"{_BASE}/part", _UPLOADERS, unit=Unit.OWN, audited=False)
def part(
    call: Call,
    id: Annotated[Id, Query()],  # noqa: A002  the name on the wire
    offset: Annotated[int, Query(ge=0, le=1 << 50)],
    sha256: Annotated[str, Query(pattern=SHA256)],
    body: Annotated[bytes, _BYTES, Body(media_type=_BINARY, min_length=1, max_length=PART_BYTES)],
) -> UploadRecord:
    """Take the next part of the caller's own upload. `offset`: bytes before it; `sha256`: of the part."""
    return service.take_part(call, id, offset, body, sha256)


@api.read(f"{_BASE}/state", _UPLOADERS, unit=Unit.OWN)
def get_state(call: Call, body: UploadChoice) -> UploadRecord:
    """Where the caller's own upload continues."""
    return service.state(call, body.id)


@api.change(f"{_BASE}/finish", _UPLOADERS, unit=Unit.OWN)
def finish(call: Call, body: UploadChoice) -> UploadRecord:
    """Check the caller's own complete upload by its content and make it visible. It may be repeated."""
    done = service.finish(call, body.id)
    call.audit.subject, call.audit.after = done.name, _plain(done)
    return done


@api.change(f"{_BASE}/cancel", _UPLOADERS, unit=Unit.OWN)
def cancel(call: Call, body: UploadChoice) -> None:
    """Call the caller's own upload off."""
    service.cancel(call, body.id)


@api.read(f"{_BASE}/page", _VIEW, lists=UPLOADS)
def page(call: Call, body: UploadPageRequest) -> Page[UploadRecord]:
    """Files of the tenant, and the caller's own uploads under way."""
    return answer_page(call, body, service.listing(call, body))


@api.read(f"{_BASE}/limits", _VIEW)
def get_limits(call: Call, body: Empty) -> UploadLimits:
    """What may be uploaded."""
    return service.limits(call)


@api.read(f"{_BASE}/content", _VIEW, method="GET", unit=Unit.OWN)
def content(call: Call, id: Annotated[Id, Query()]) -> StreamingResponse:  # noqa: A002  as above
    """A file's content, to be saved."""
    with call.services.database.read() as store:
        row = service.find_ready(store, call.principal, id)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(row.name)}",
        "Content-Length": str(row.size),
    }
    return StreamingResponse(service.content(call, row), media_type=_BINARY, headers=headers)


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE), unit=Unit.OWN)
def delete(call: Call, body: UploadDeletion) -> None:
    """Delete a file. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion_apart(call, body)
    with call.services.database.read() as store:
        row = service.find_ready(store, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, _plain(service.record(row)), None
    service.remove(call, row)


@api.change("/api/users/updateAvatar", signed_in(), unit=Unit.OWN)
def change_avatar(
    call: Call,
    body: Annotated[bytes, _BYTES, Body(media_type=_BINARY, min_length=1, max_length=avatar.MAX_BYTES)],
) -> Avatar:
    """Set the caller's picture: PNG, JPEG, WebP or GIF. It is encoded again, as a square."""
    call.audit.subject = call.principal.user_name
    return avatar.change(call, body)


@api.read("/api/zcbus/account/user/avatar", signed_in())
def get_avatar(call: Call, body: Empty) -> Avatar:
    """The caller's picture."""
    return avatar.find(call)


@api.change("/api/zcbus/account/user/avatar/remove", signed_in())
def remove_avatar(call: Call, body: Empty) -> None:
    """Have no picture."""
    call.audit.subject = call.principal.user_name
    avatar.remove(call)


def begun(call: Call, upload: UploadRecord) -> UploadRecord:
    """An upload that began, noted in the operation log."""
    call.audit.subject, call.audit.after = upload.name, _plain(upload)
    return upload


def _plain(record: UploadRecord) -> dict[str, object]:
    kept = {"id", "name", "purpose", "kind", "size", "sha256", "store"}
    return record.model_dump(mode="json", by_alias=True, include=kept)
