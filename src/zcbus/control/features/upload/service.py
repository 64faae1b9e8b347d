"""The life of an upload: begun, received in parts, checked, ready; or called off."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, update

from zcbus.control.features.upload import receiving
from zcbus.control.features.upload.errors import (
    PictureUnusableError,
    UploadChecksumError,
    UploadCrowdedError,
    UploadEmptyError,
    UploadIncompleteError,
    UploadQuotaError,
    UploadTooLargeError,
    UploadTypeError,
)
from zcbus.control.features.upload.scanning import scan
from zcbus.control.features.upload.schemas import (
    PART_BYTES,
    UPLOADS,
    Purpose,
    UploadBegin,
    UploadLimits,
    UploadPageRequest,
    UploadRecord,
)
from zcbus.control.features.upload.storing import Store, keeping
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.identity import tenant
from zcbus.control.store.tables.upload import upload
from zcbus.kit import file_content
from zcbus.kit.errors import TerminalError
from zcbus.kit.ids import new_id

MAX_UNDER_WAY = 20
"""Of one user."""
ACCEPTED: dict[str, tuple[str, ...]] = {
    "file": (*file_content.PICTURES, "pdf", *file_content.DATA, "text"),
    "picture": file_content.PICTURES,
    "data": (*file_content.DATA, "text"),
    "driver": ("jar", "wheel"),
}
_LISTED: tuple[Purpose, ...] = ("file", "picture")
_MB = 1 << 20


def begin(call: Call, given: UploadBegin, purpose: Purpose, store: Store = "local") -> UploadRecord:
    """Raises UploadEmptyError, UploadTooLargeError, UploadQuotaError, UploadCrowdedError."""
    settings, now, principal = call.services.settings.uploads, call.services.clock.now(), call.principal
    if not given.size:
        raise UploadEmptyError
    if given.size > settings.file_mb * _MB:
        raise UploadTooLargeError(size=_in_mb(given.size), limit=settings.file_mb)
    _check_room(call, given.size)
    upload_id = new_id()
    values = {
        "id": upload_id,
        "tenant_id": principal.tenant_id,
        "user_id": principal.user_id,
        "user_name": principal.user_name,
        "purpose": purpose,
        "name": given.name,
        "kind": "",
        "size": given.size,
        "received": 0,
        "sha256": given.sha256,
        "state": "receiving",
        "store": "object" if store == "object" and settings.store is not None else "local",
        "created_at": now,
        "updated_at": now,
    }
    call.connection.execute(upload.insert().values(**values))
    return record(_find(call.connection, principal, upload_id))


def take_part(call: Call, upload_id: str, offset: int, part: bytes, sha256: str) -> UploadRecord:
    """Raises RecordNotFoundError, UploadBusyError, UploadOffsetError, UploadPartBrokenError."""
    row = _own_under_way(call, upload_id)
    path = receiving.path_of(call.services.settings.uploads, row.id)
    with receiving.held(path):
        received = receiving.append(path, offset, part, sha256, row.size)
    return _set(call, row.id, received=received)


def state(call: Call, upload_id: str) -> UploadRecord:
    """Where the caller's upload continues. Raises RecordNotFoundError."""
    with call.services.database.read() as store:
        row = _own(store, call.principal, upload_id)
    if row.state != "receiving":
        return record(row)
    received = receiving.size_of(receiving.path_of(call.services.settings.uploads, row.id))
    return record(row).model_copy(update={"received": received})


def finish(call: Call, upload_id: str) -> UploadRecord:
    """Check a complete upload and make it visible. Idempotent. Raises UploadIncompleteError, ScannerFailedError,
    KeepingUnavailable: it may be tried again; other errors: the file is gone."""
    with call.services.database.read() as store:
        row = _own(store, call.principal, upload_id)
    if row.state == "ready":
        return record(row)
    settings = call.services.settings.uploads
    path = receiving.path_of(settings, row.id)
    with receiving.held(path):
        if receiving.size_of(path) != row.size:
            raise UploadIncompleteError(received=receiving.size_of(path), size=row.size)
        try:
            digest, kind = _checked(call, row, path)
        except TerminalError:
            _forget(call, row.id, path)
            raise
        keeping(settings, row.store).put(row.id, path)
        done = _set(call, row.id, received=row.size, kind=kind, sha256=digest, state="ready")
        path.unlink()
    return done


def cancel(call: Call, upload_id: str) -> None:
    """Call an upload off. Raises RecordNotFoundError, UploadBusyError."""
    row = _own_under_way(call, upload_id)
    path = receiving.path_of(call.services.settings.uploads, row.id)
    call.audit.subject = row.name
    with receiving.held(path):
        _forget(call, row.id, path)


def remove(call: Call, row: Row[Any]) -> None:
    """Delete a complete file. A store that does not answer delays only its content's end."""
    with call.services.database.write() as store:
        store.execute(update(upload).where(upload.c.id == row.id).values(state="removing"))
    keeping(call.services.settings.uploads, row.store).remove(row.id)
    with call.services.database.write() as store:
        store.execute(delete(upload).where(upload.c.id == row.id))


def content(call: Call, row: Row[Any]) -> Iterator[bytes]:
    """Raises RecordNotFoundError where the store lost it, KeepingUnavailable."""
    try:
        return keeping(call.services.settings.uploads, row.store).read(row.id)
    except FileNotFoundError as error:
        raise RecordNotFoundError(kind="upload", id=row.id) from error


def find_ready(store: Connection, principal: Principal, upload_id: str) -> Row[Any]:
    """A complete file of the caller's tenant. Raises RecordNotFoundError."""
    row = _find(store, principal, upload_id, "ready")
    if row.purpose not in _LISTED:
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


def find_own_ready(store: Connection, principal: Principal, upload_id: str, purpose: Purpose) -> Row[Any]:
    """A complete file that the caller uploaded for a purpose. Raises RecordNotFoundError."""
    row = _find(store, principal, upload_id, "ready")
    if row.purpose != purpose or row.user_id != principal.user_id:
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


def find_any(store: Connection, upload_id: str, purpose: Purpose) -> Row[Any]:
    """A complete file of any tenant: its reader's right follows from something else. Raises RecordNotFoundError."""
    chosen = (upload.c.id == upload_id) & (upload.c.purpose == purpose) & (upload.c.state == "ready")
    row = store.execute(select(upload).where(chosen)).one_or_none()
    if row is None:
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


@contextmanager
def on_disk(call: Call, row: Row[Any]) -> Iterator[Path]:
    """The content as a file. Raises RecordNotFoundError, KeepingUnavailable."""
    with TemporaryDirectory(prefix="zcbus-upload-") as folder:
        path = Path(folder) / "data"
        with path.open("wb") as out:
            for piece in content(call, row):
                out.write(piece)
        yield path


def listing(call: Call, request: UploadPageRequest) -> Listing[UploadRecord]:
    """The newest first. Others' uploads are listed when they are complete."""
    statement = _visible(call.principal).where(
        upload.c.purpose.in_(_LISTED),
        (upload.c.state == "ready") | ((upload.c.state == "receiving") & (upload.c.user_id == call.principal.user_id)),
    )
    if request.search.strip():
        statement = statement.where(any_contains((upload.c.name, upload.c.user_name), request.search.strip()))
    if request.purpose is not None:
        statement = statement.where(upload.c.purpose == request.purpose)
    if request.kind:
        statement = statement.where(upload.c.kind == request.kind)
    return Listing(UPLOADS, statement, [upload.c.created_at.desc(), upload.c.id], record)


def limits(call: Call) -> UploadLimits:
    """What the caller may upload."""
    settings = call.services.settings.uploads
    return UploadLimits(
        file=settings.file_mb * _MB,
        tenant=settings.tenant_mb * _MB,
        used=_used(call.connection, call.principal.tenant_id),
        part=PART_BYTES,
        object_store=settings.store is not None,
        scanned=bool(settings.scanner),
    )


def record(row: Row[Any]) -> UploadRecord:
    """As callers see it."""
    return UploadRecord.of_row(row)


def _check_room(call: Call, size: int) -> None:
    store, tenant_id = call.connection, call.principal.tenant_id
    limit = call.services.settings.uploads.tenant_mb
    # Two that begin at once are counted one after the other.
    store.execute(select(tenant.c.id).where(tenant.c.id == tenant_id).with_for_update())
    used = _used(store, tenant_id)
    if used + size > limit * _MB:
        raise UploadQuotaError(used=_in_mb(used), size=_in_mb(size), limit=limit)
    own = (upload.c.user_id == call.principal.user_id, upload.c.state == "receiving")
    if store.execute(select(func.count()).select_from(upload).where(*own)).scalar_one() >= MAX_UNDER_WAY:
        raise UploadCrowdedError(most=MAX_UNDER_WAY)


def _used(store: Connection, tenant_id: str) -> int:
    """Bytes of a tenant's files, those under way with their whole size."""
    total = select(func.coalesce(func.sum(upload.c.size), 0)).where(upload.c.tenant_id == tenant_id)
    return int(store.execute(total).scalar_one())


def _checked(call: Call, row: Row[Any], path: Path) -> tuple[str, str]:
    """Checksum and kind of a complete upload."""
    digest = receiving.digest_of(path)
    if row.sha256 not in ("", digest):
        raise UploadChecksumError(name=row.name)
    kind, accepted = _recognised(path), ACCEPTED[row.purpose]
    if kind not in accepted:
        raise UploadTypeError(name=row.name, kind=kind, accepted=", ".join(accepted))
    scan(call.services.settings.uploads, path, row.name)
    return digest, kind


def _recognised(path: Path) -> str:
    try:
        return file_content.recognised(path)
    except file_content.PictureInvalid as error:
        raise PictureUnusableError(detail=str(error)) from error


def _own_under_way(call: Call, upload_id: str) -> Row[Any]:
    with call.services.database.read() as store:
        row = _own(store, call.principal, upload_id)
    if row.state != "receiving":
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


def _own(store: Connection, principal: Principal, upload_id: str) -> Row[Any]:
    row = _find(store, principal, upload_id)
    if row.user_id != principal.user_id:
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


def _find(store: Connection, principal: Principal, upload_id: str, state: str = "") -> Row[Any]:
    row = store.execute(_visible(principal).where(upload.c.id == upload_id)).one_or_none()
    if row is None or (state and row.state != state):
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


def _set(call: Call, upload_id: str, **values: object) -> UploadRecord:
    with call.services.database.write() as store:
        now = call.services.clock.now()
        changed = update(upload).where(upload.c.id == upload_id).values(updated_at=now, **values).returning(upload)
        row = store.execute(changed).one_or_none()
    if row is None:
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return record(row)


def _forget(call: Call, upload_id: str, path: Path) -> None:
    with call.services.database.write() as store:
        store.execute(delete(upload).where(upload.c.id == upload_id))
    path.unlink(missing_ok=True)


def _visible(principal: Principal) -> Select[Any]:
    return select(upload).where(principal.visible(upload.c.tenant_id))


def _in_mb(size: int) -> int:
    return -(-size // _MB)
