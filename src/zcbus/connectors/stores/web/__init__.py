"""Files behind HTTP: linked from a page, listed in a manifest, or declared one by one (RFC 9110)."""

from zcbus.connectors.stores.web.client import WebAccess, WebClient
from zcbus.connectors.stores.web.store import WebStore

__all__ = ["WebAccess", "WebClient", "WebStore"]
