"""From options to a store."""

import base64

from zcbus.connectors.files.selection import selection
from zcbus.connectors.stores.web import WebAccess, WebStore
from zcbus.connectors.stores.web.listing import Listing, listing
from zcbus.connectors.webfiles.spec import WebFilesOptions

_SECONDS = 60.0


def access_of(options: WebFilesOptions) -> WebAccess:
    """Where files may be, and the account."""
    return WebAccess(
        kind=options.kind,
        url=options.url,
        hosts=tuple(one.strip().lower() for one in options.hosts.split(",") if one.strip()),
        user=options.user,
        authorization=_authorization(options),
        tls=options.tls,
        way=options.way,
    )


def listing_of(options: WebFilesOptions) -> Listing:
    """Where the list of files comes from."""
    return listing(options.listing, access_of(options), options.addresses)


def store_of(options: WebFilesOptions, seconds: float = _SECONDS) -> WebStore:
    """The files. `seconds`: how long a server may say nothing."""
    return WebStore(
        access_of(options),
        listing_of(options),
        selection(options),
        options.largest << 20,
        growing=options.growing,
        seconds=seconds,
    )


def _authorization(options: WebFilesOptions) -> str:
    if options.auth == "bearer":
        return f"Bearer {options.secret}"
    if options.auth == "basic":
        return "Basic " + base64.b64encode(f"{options.user}:{options.secret}".encode()).decode()
    return ""
