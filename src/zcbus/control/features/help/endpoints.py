"""Calls of the console's help."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from zcbus.control.features.help import reading
from zcbus.control.features.help.schemas import (
    HelpFound,
    HelpHit,
    HelpPage,
    HelpPageRequest,
    HelpSearchRequest,
    HelpSection,
)
from zcbus.control.features.upload import service as uploads
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty
from zcbus.control.store.columns import ID_LENGTH

api = Api("help")

_READER = authorise(reading.MENU_KEY, Operation.VIEW)
_MOST = 50


@api.read("/api/zcbus/common/help/contents", _READER)
def contents(call: Call, body: Empty) -> list[HelpSection]:
    """All pages of the documentation by section and the tenant's own articles, with titles in the caller's language."""
    return reading.contents(call)


@api.read("/api/zcbus/common/help/page", _READER)
def page(call: Call, body: HelpPageRequest) -> HelpPage:
    """One page of the documentation or one own article as Markdown, in the caller's language where it exists."""
    return reading.page(call, body.name)


@api.read("/api/zcbus/common/help/search", _READER)
def search(call: Call, body: HelpSearchRequest) -> HelpFound:
    """Pages and own articles that contain a text, in the caller's language."""
    found = reading.search(call, body.text.strip(), _MOST + 1)
    hits = [HelpHit(name=one.name, title=one.title, section=one.section) for one in found[:_MOST]]
    return HelpFound(hits=hits, more=len(found) > _MOST)


@api.read("/api/zcbus/common/help/picture", _READER, method="GET", unit=Unit.OWN)
def picture(
    call: Call,
    id: Annotated[str, Query(min_length=1, max_length=ID_LENGTH)],  # noqa: A002  the name on the wire
) -> StreamingResponse:
    """A picture that an article shows. Its type is not sent: it is data, never a page."""
    content = uploads.content(call, reading.picture(call, id))
    return StreamingResponse(content, media_type="application/octet-stream")
