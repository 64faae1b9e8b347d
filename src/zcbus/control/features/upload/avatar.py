"""Users' own pictures. What is kept is made here: nothing of the uploaded file survives but what is seen."""

import base64
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import delete, select

from zcbus.control.features.upload.errors import PictureUnusableError
from zcbus.control.features.upload.scanning import scan
from zcbus.control.features.upload.schemas import Avatar
from zcbus.control.platform.call import Call
from zcbus.control.store.tables.upload import user_avatar
from zcbus.kit.file_content import PictureInvalid, as_avatar

MAX_BYTES = 4 << 20


def change(call: Call, data: bytes) -> Avatar:
    """Raises PictureUnusableError, UploadInfectedError, ScannerFailedError."""
    _scan(call, data)
    try:
        picture = base64.b64encode(as_avatar(data)).decode()
    except PictureInvalid as error:
        raise PictureUnusableError(detail=str(error)) from error
    user_id = call.principal.user_id
    with call.services.database.write() as store:
        store.execute(delete(user_avatar).where(user_avatar.c.user_id == user_id))
        now = call.services.clock.now()
        store.execute(user_avatar.insert().values(user_id=user_id, picture=picture, updated_at=now))
    return _shown(picture)


def find(call: Call) -> Avatar:
    """The caller's."""
    own = select(user_avatar.c.picture).where(user_avatar.c.user_id == call.principal.user_id)
    return _shown(call.connection.execute(own).scalar_one_or_none() or "")


def remove(call: Call) -> None:
    """Idempotent."""
    call.connection.execute(delete(user_avatar).where(user_avatar.c.user_id == call.principal.user_id))


def _scan(call: Call, data: bytes) -> None:
    settings = call.services.settings.uploads
    if not settings.scanner:
        return
    with TemporaryDirectory(prefix="zcbus-avatar-") as folder:
        path = Path(folder) / "picture"
        path.write_bytes(data)
        scan(settings, path, "picture")


def _shown(picture: str) -> Avatar:
    return Avatar(picture=f"data:image/webp;base64,{picture}" if picture else "")
