"""Syslog messages (RFC 5424) over TLS (RFC 5425), TCP (RFC 6587, octet counting) or UDP (RFC 5426)."""

import json
import os
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC

from zcbus.control.features.audit_stream.entries import Entry
from zcbus.control.features.audit_stream.errors import AuditReceiverError
from zcbus.kit.audit_settings import SyslogAddress
from zcbus.kit.tls import client_context

MAX_MESSAGE_BYTES = 60_000
"""A datagram cannot have more. Longer records are sent without their values."""

_STEP_SECONDS = 10.0
# Facility "log audit"; severity "notice", of failures "warning".
_FACILITY, _NOTICE, _WARNING = 13, 5, 4
_NAME_LENGTH, _HOST_LENGTH = 32, 255


class SyslogReceiver:
    """TLS and TCP: entries count as taken once the server has read the connection to its end. Syslog has no
    acknowledgement: a server that fails later loses them. UDP: once they are sent."""

    def __init__(self, to: SyslogAddress, trusted: str) -> None:
        self._to, self._trusted = to, trusted

    @property
    def address(self) -> str:
        return f"{self._to.transport}://{self._to.host}:{self._to.port}"

    def take(self, entries: Sequence[Entry]) -> None:
        messages = [message(entry) for entry in entries]
        try:
            if self._to.transport == "udp":
                self._send_datagrams(messages)
            else:
                self._send_stream(b"".join(b"%d %s" % (len(one), one) for one in messages))
        except (OSError, UnicodeError) as error:
            raise AuditReceiverError(receiver=self.address, detail=str(error) or type(error).__name__) from error

    def _send_datagrams(self, messages: Sequence[bytes]) -> None:
        family, kind, protocol, _, address = socket.getaddrinfo(self._to.host, self._to.port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, protocol) as sender:
            sender.connect(address)
            for one in messages:
                sender.send(one)

    def _send_stream(self, content: bytes) -> None:
        with socket.create_connection((self._to.host, self._to.port), _STEP_SECONDS) as plain:
            if self._to.transport == "tcp":
                plain.sendall(content)
                plain.shutdown(socket.SHUT_WR)
                _read_to_end(plain)
                return
            context = client_context(self._trusted)
            with context.wrap_socket(plain, server_hostname=self._to.host) as encrypted:
                encrypted.sendall(content)
                _end_tls(encrypted)


def message(entry: Entry) -> bytes:
    """A syslog message without its frame: JSON in ASCII, so that it needs no mark of its encoding."""
    priority = _FACILITY * 8 + (_WARNING if entry.has_failed else _NOTICE)
    at = entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    host = _name(socket.gethostname(), _HOST_LENGTH)
    head = f"<{priority}>1 {at} {host} zcbus {os.getpid()} {_name(entry.action, _NAME_LENGTH)} - ".encode()
    whole = head + _json(entry.document)
    if len(whole) <= MAX_MESSAGE_BYTES:
        return whole
    record = {**entry.document["record"], "before": None, "after": None, "omitted": True}
    return head + _json({**entry.document, "record": record})


def _json(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode("ascii")


def _name(text: str, length: int) -> str:
    """Printable ASCII without blanks; the dash stands for none."""
    return "".join(one for one in text if "!" <= one <= "~")[:length] or "-"


def _read_to_end(connection: socket.socket) -> None:
    """Wait until the server ends the connection too, which it does when it has read everything. A reset is an error. A
    server that keeps its side open is taken to have read."""
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return


def _end_tls(connection: ssl.SSLSocket) -> None:
    """As `_read_to_end`, by the exchange of closing alerts."""
    try:
        connection.unwrap()
    except (TimeoutError, ssl.SSLEOFError, ssl.SSLZeroReturnError):
        return
