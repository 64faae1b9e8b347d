"""Errors a caller of the API can meet. A feature subclasses `BusinessError` in its own `errors.py`."""

from typing import ClassVar

from zcbus.kit.errors import TerminalError, TransientError, ZcbusError

SUCCESS = 200
SHOW_MESSAGE = 300


class BusinessError(TerminalError):
    """Answered with HTTP 200 and the specification's code; 300 means "show the message"."""

    wire_code: ClassVar[int] = SHOW_MESSAGE
    # The field of the request that is at fault, by its wire name: a form shows the message there.
    field: ClassVar[str] = ""


class HttpError(TerminalError):
    """Answered with a real HTTP status; `wire_code` stands in the body."""

    status: ClassVar[int]
    wire_code: ClassVar[int]


class NotAuthenticatedError(HttpError):
    code = "not-authenticated"
    status = 401
    wire_code = 401


class SessionExpiredError(NotAuthenticatedError):
    code = "session-expired"
    wire_code = 40101


class SessionRevokedError(NotAuthenticatedError):
    code = "session-revoked"
    wire_code = 40102


class TokenExpiredError(SessionExpiredError):
    """An API token came after its end. Facts: name (of the service account), at."""

    code = "token-expired"


class TokenRevokedError(SessionRevokedError):
    """An API token was revoked, or its owner or the owner's tenant is disabled. Facts: name."""

    code = "token-revoked"


class HostRemovedError(HttpError):
    """The agent's host was removed from the platform: its token is revoked. Facts: host."""

    code = "host-removed"
    status = 403
    wire_code = 40103


class HostUnknownError(HttpError):
    """The request names a host that this platform is not reached under. Facts: host."""

    code = "host-unknown"
    status = 421
    wire_code = 421


class CertificateNeededError(HttpError):
    """The agent's token came without the certificate that was made for the same host."""

    code = "certificate-needed"
    status = 403
    wire_code = 40103


class ForbiddenError(HttpError):
    code = "forbidden"
    status = 403
    wire_code = 40103


class RecordNotFoundError(HttpError):
    """The requested object does not exist, or belongs to a tenant the caller may not see. Facts: kind, id."""

    code = "record-not-found"
    status = 404
    wire_code = 404


class RequestMalformedError(HttpError):
    """Facts: fields (comma-separated names)."""

    code = "request-malformed"
    status = 422
    wire_code = 422


class EncryptionRequiredError(RequestMalformedError):
    """A password of a person or a server came, or may have come, in the clear from another host."""

    code = "encryption-required"


class BodyUnreadableError(RequestMalformedError):
    """An encrypted body does not open with the key it names."""

    code = "body-unreadable"


class BodyReplayedError(RequestMalformedError):
    """The encrypted body was accepted before: a recorded request is being replayed."""

    code = "body-replayed"


class BodyKeyUnknownError(RequestMalformedError):
    """An encrypted body names a key that is not taken any more: fetch the key again. Facts: kid."""

    code = "body-key-unknown"


class NulCharacterError(RequestMalformedError):
    """Text with U+0000 in it, which PostgreSQL cannot store."""

    code = "nul-character"


class BrokenTextError(RequestMalformedError):
    """Text with half a character (a lone surrogate) in it, which no store can keep."""

    code = "text-broken"


class ValueRefusedError(RequestMalformedError):
    """The store refused a value as too long or out of range, which a schema should have done before."""

    code = "value-refused"


class TooManyRequestsError(HttpError):
    """Facts: seconds until the next attempt."""

    code = "too-many-requests"
    status = 429
    wire_code = 429


class UnexpectedError(HttpError):
    """A defect of ours. The log has it under the request's id; the caller learns nothing else."""

    code = "server-error"
    status = 500
    wire_code = 500


class StoreBusyError(TransientError):
    """The metadata store did not answer, or not in time."""

    code = "store-busy"
    status: ClassVar[int] = 503
    wire_code: ClassVar[int] = 503


def wire_code_of(error: ZcbusError) -> int:
    """The code in the envelope for an error of any layer."""
    return error.wire_code if isinstance(error, BusinessError | HttpError | StoreBusyError) else SHOW_MESSAGE


def status_of(error: ZcbusError) -> int:
    """The HTTP status for an error of any layer."""
    return error.status if isinstance(error, HttpError | StoreBusyError) else 200
