"""Login to PostgreSQL: the startup message, and the responses to authentication requests."""

import struct
from collections.abc import Mapping

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.failures import ServerError
from zcbus.connectors.postgresql.connection.payloads import md5_response
from zcbus.connectors.postgresql.connection.scram import ScramClient, ScramFailed

SESSION_SETTINGS: Mapping[str, str] = {
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "search_path": "pg_catalog",
    "lc_monetary": "C",
    "xmloption": "content",
    "statement_timeout": "0",
    "lock_timeout": "60s",
    "idle_in_transaction_session_timeout": "0",
}
"""Settings that affect the text of values: every session that reads values has them, so that equal values give equal
texts.

The time limits an administrator may have set for interactive users do not apply to a reader of a large table. Waiting
for a lock is given up and retried, so that it becomes visible.
"""

_PROTOCOL = 196608
_LOGGED_IN, _IN_CLEAR, _MD5, _SASL, _SASL_CONTINUE, _SASL_FINAL = 0, 3, 5, 10, 11, 12


def startup_message(options: ConnectionOptions, replication: bool) -> bytes:
    """The complete startup message of a connection."""
    parameters = {
        "user": options.user,
        "database": options.database,
        "application_name": "zcbus",
        "client_encoding": "UTF8",
        "options": startup_options(SESSION_SETTINGS),
    }
    if replication:
        parameters["replication"] = "database"
    body = b"".join(f"{name}\0{value}\0".encode() for name, value in parameters.items()) + b"\0"
    return struct.pack("!II", len(body) + 8, _PROTOCOL) + body


def startup_options(settings: Mapping[str, str]) -> str:
    """The `options` startup parameter for these settings."""
    return " ".join(
        "-c " + f"{name}={value}".replace("\\", r"\\").replace(" ", r"\ ") for name, value in settings.items()
    )


class Login:
    """Answers the server's authentication requests, one after another."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._scram = ScramClient(options.password)
        self.finished = False
        """Whether the server has let us in."""

    def response(self, request: bytes) -> bytes | None:
        """The content of a password message for a request's payload; None: nothing to send. Raises ServerError."""
        (method,) = struct.unpack_from("!I", request)
        self.finished = method == _LOGGED_IN
        try:
            return None if self.finished else self._response(method, request[4:])
        except (ScramFailed, KeyError, ValueError) as error:
            raise ServerError({"C": "28P01", "M": f"SCRAM exchange failed: {error}"}) from error

    def _response(self, method: int, payload: bytes) -> bytes | None:
        if method == _IN_CLEAR:
            return self._options.password.encode() + b"\0"
        if method == _MD5:
            return md5_response(self._options, payload[:4])
        if method == _SASL:
            first = self._scram.first()
            return b"SCRAM-SHA-256\0" + struct.pack("!I", len(first)) + first
        if method == _SASL_CONTINUE:
            return self._scram.final(payload)
        if method == _SASL_FINAL:
            self._scram.verify(payload)
            return None
        raise ServerError({"C": "28000", "M": f"the server wants an unknown way to log in ({method})"})
