"""Requests to a collector of OpenTelemetry, with the reason of a failure."""

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import requests

TIMEOUT_SECONDS = 10.0
_MAX_DETAIL = 200


class LastFailure:
    """Why the newest request failed; the exporters of OpenTelemetry only return that it did."""

    def __init__(self) -> None:
        self.detail = ""
        """Empty: it did not fail."""


def open_session(failure: LastFailure) -> "requests.Session":
    """A session for an exporter; it keeps `failure` up to date. Headers may be secret, so redirects are refused."""
    # A process without a collector starts sooner.
    import requests

    # What the library writes for each attempt is in `failure`.
    logging.getLogger("opentelemetry").addHandler(logging.NullHandler())

    class Noting(requests.Session):
        def request(self, *arguments: Any, **options: Any) -> requests.Response:
            failure.detail = ""
            try:
                response = super().request(*arguments, **options)
            except requests.RequestException as error:
                failure.detail = str(error)[:_MAX_DETAIL]
                raise
            if not response.ok:
                failure.detail = f"HTTP {response.status_code} {response.text}".strip()[:_MAX_DETAIL]
            return response

    session = Noting()
    session.max_redirects = 0
    return session
