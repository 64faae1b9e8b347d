"""A catalogue that is a service (https://iceberg.apache.org/rest-catalog-spec/), by the platform's rules for requests.

The library's requests go through Python's sockets, so that the network rules of the process apply to each of them.
Neither the host's environment nor the service decides how they are made: proxies, modules to load and files to read
come from the options alone.
"""

import ssl
from typing import Any

from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.io import FileIO
from requests import PreparedRequest, Response, Session
from requests.adapters import HTTPAdapter

_SECONDS = (10.0, 60.0)
"""For connecting, and for the server to say something."""
_NOT_OF_SERVICE = ("auth", "ssl", "rest.sigv4-enabled")


class RestLakeCatalogue(RestCatalog):
    """See RestCatalog."""

    def __init__(self, properties: dict[str, str], files: FileIO, *, verify: bool) -> None:
        self._files, self._verify = files, verify
        self._token_uri = properties["oauth2-server-uri"]
        super().__init__("zcbus", **properties)

    def _create_session(self) -> Session:
        for name in _NOT_OF_SERVICE:
            self.properties.pop(name, None)
        self.properties["oauth2-server-uri"] = self._token_uri
        return super()._create_session()

    def _create_legacy_oauth2_auth_manager(self, session: Session) -> Any:
        session.trust_env = False
        session.verify = self._verify
        for scheme in ("http://", "https://"):
            session.mount(scheme, _Limited(self._verify))
        return super()._create_legacy_oauth2_auth_manager(session)

    def _load_file_io(self, properties: Any = None, location: str | None = None) -> FileIO:
        return self._files


class _Limited(HTTPAdapter):
    """Requests that end, and certificates that the host trusts."""

    def __init__(self, verify: bool) -> None:
        self._verify = verify
        super().__init__()

    def init_poolmanager(self, *given: Any, **named: Any) -> None:
        context = ssl.create_default_context()
        if not self._verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        super().init_poolmanager(*given, ssl_context=context, **named)

    def send(self, request: PreparedRequest, *given: Any, **named: Any) -> Response:
        return super().send(request, *given, **{**named, "timeout": _SECONDS})
