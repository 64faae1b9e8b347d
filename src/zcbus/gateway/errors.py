"""Errors of a call, in addition to those of the query (engine.query, connectors.queries)."""

from zcbus.kit.errors import TerminalError, TransientError


class NotProven(TerminalError):
    """The caller did not prove who it is. Facts: why (no-header, header, unknown, time, nonce, signature, bearer)."""

    code = "caller-not-proven"


class AddressRefused(TerminalError):
    """The app may not call from this address. Facts: address."""

    code = "address-refused"


class AppExpired(TerminalError):
    """The app has expired. No facts."""

    code = "app-expired"


class NotGranted(TerminalError):
    """The app may not call this API. No facts."""

    code = "api-not-granted"


class ApiUnknown(TerminalError):
    """No API is published at the path. Facts: path."""

    code = "api-unknown"


class QuotaSpent(TransientError):
    """The app has used up its calls per minute. Facts: limit, seconds (until its next call)."""

    code = "quota-spent"


class BodyInvalid(TerminalError):
    """The body is not a JSON object of texts, numbers, booleans and lists of them. No facts."""

    code = "body-invalid"


class BodyTooLarge(TerminalError):
    """The body is too large. Facts: bytes (the limit)."""

    code = "body-too-large"


class PageInvalid(TerminalError):
    """`_page`, `_size` or `_format` has an invalid value. Facts: name."""

    code = "page-invalid"


class Busy(TransientError):
    """All sessions of the data source are in use. No facts."""

    code = "gateway-busy"


class PortTaken(TransientError):
    """Listening on the address failed. Facts: host, port, detail."""

    code = "gateway-port-taken"


class AddressNotAllowed(TransientError):
    """The host's settings do not allow data services on the address. Facts: host, port."""

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
    "source-full": 503,
    "query-timed-out": 504,
}
"""Error code → HTTP status; 500 for all others."""
