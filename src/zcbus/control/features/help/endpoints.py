"""Calls of the console's help."""

from zcbus.control.features.help.documents import find_documents
from zcbus.control.features.help.schemas import HelpPage, HelpPageRequest, HelpSection
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("help")

_READER = authorise("resource/article", Operation.VIEW)


@api.read("/api/zcbus/common/help/contents", _READER)
def contents(call: Call, body: Empty) -> list[HelpSection]:
    """All pages of the documentation by section, with titles in the caller's language."""
    return find_documents().contents(call.language)


@api.read("/api/zcbus/common/help/page", _READER)
def page(call: Call, body: HelpPageRequest) -> HelpPage:
    """One page of the documentation as Markdown, in the caller's language where it exists."""
    return find_documents().page(body.name, call.language)
