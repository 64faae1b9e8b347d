"""Why a call is not answered with rows, besides what the query itself says (engine.query, connectors.queries)."""

from zcbus.kit.errors import TerminalError, TransientError


class NotProven(TerminalError):
    """The caller did not prove who it is. Facts: why (no-header, header, unknown, time, nonce, signature, bearer)."""

    code = "caller-not-proven"


class AddressRefused(TerminalError):
    """The app may not call from there. Facts: address."""

    code = "address-refused"


class AppExpired(TerminalError):
    """The app's time is over. No facts."""

    code = "app-expired"


class NotGranted(TerminalError):
    """The app may not call this API. No facts."""

    code = "api-not-granted"


class ApiUnknown(TerminalError):
    """There is no API at the path. Facts: path."""

    code = "api-unknown"


class QuotaSpent(TransientError):
    """The app called as often as it may within a minute. Facts: limit, seconds (until it may again)."""

    code = "quota-spent"


class BodyInvalid(TerminalError):
    """The body is no JSON object of texts, numbers, truth and lists of them. No facts."""

    code = "body-invalid"


class BodyTooLarge(TerminalError):
    """Facts: bytes (the most that is taken)."""

    code = "body-too-large"


class PageInvalid(TerminalError):
    """`_page`, `_size` or `_format` is not what they may be. Facts: name."""

    code = "page-invalid"


class Busy(TransientError):
    """All sessions of the data source are in use. No facts."""

    code = "gateway-busy"


class PortTaken(TransientError):
    """The address cannot be listened on. Facts: host, port, detail."""

    code = "gateway-port-taken"


class AddressNotAllowed(TransientError):
    """The host does not allow its data services to listen there. Facts: host, port."""

    code = "gateway-address-not-allowed"


STATUS: dict[str, int] = {
    "caller-not-proven": 401,
    "address-refused": 403,
    "app-expired": 403,
    "api-not-granted": 403,
    "api-unknown": 404,
    "body-too-large": 413,
    "body-invalid": 400,
    "page-invalid": 400,
    "api-parameter-invalid": 400,
    "api-parameter-missing": 400,
    "api-parameter-unknown": 400,
    "quota-spent": 429,
    "gateway-busy": 503,
    "source-unavailable": 503,
    "query-timed-out": 504,
}
"""Of HTTP, by code; 500 for all others."""
