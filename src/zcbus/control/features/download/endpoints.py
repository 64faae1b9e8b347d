"""Calls of the page of downloads."""

from importlib.metadata import version
from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from zcbus.control.features.download.files import available, pieces
from zcbus.control.features.download.schemas import DownloadKind, Downloads
from zcbus.control.platform.authorisation import public
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("download")

_SHOWN = public("the specification has the page of downloads before signing in; the files hold nothing of this site")


@api.read("/api/zcbus/download/list", _SHOWN, method="GET", unit=Unit.OWN)
def list_files(call: Call) -> Downloads:
    """What this installation has of its own version, with checksums."""
    return Downloads(version=version("zcbus"), files=available(call.services.settings))


@api.read("/api/zcbus/download/file", _SHOWN, method="GET", unit=Unit.OWN)
def get_file(call: Call, kind: Annotated[DownloadKind, Query()]) -> StreamingResponse:
    """One of the files."""
    found, content = pieces(call.services.settings, kind)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"', "Content-Length": str(found.size)}
    return StreamingResponse(content, media_type="application/octet-stream", headers=headers)
