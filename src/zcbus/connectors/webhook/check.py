"""The connection test, check by check."""

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import orjson
from cryptography import x509

from zcbus.connectors.errors import SourceNotReady
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.webhook.admission import HEALTH
from zcbus.connectors.webhook.listener import bound, marks_of, pem, server_context, why_not
from zcbus.connectors.webhook.reader import gate_of
from zcbus.connectors.webhook.spec import WebhookOptions
from zcbus.kit.certificates import end_of

_SHOWN = 20
_SECONDS = 3.0
_MAX_BYTES = 64 << 10
_SOON = timedelta(days=14)
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  compared only


class WebhookTester:
    """See Tester. It listens for a moment, and answers nothing."""

    def test(self, options: WebhookOptions, side: Side) -> list[CheckResult]:
        listening = _port(options)
        if not listening.ok:
            return [listening]
        certificate = [_certificate(options)] if options.certificate else []
        return [listening, *certificate, *_paths(options)]


def _port(options: WebhookOptions) -> CheckResult:
    """Whether the port is free, or this data source is listened to on it."""
    statement = f"listen on {options.address}"
    try:
        bound(options).close()
    except OSError as error:
        detail = why_not(error)
        if _is_ours(options):
            return CheckResult("reachable", statement, True, True, f"{detail}: by a publish node of this data source")
        return CheckResult("reachable", statement, False, True, detail, "", "address")
    return CheckResult("reachable", statement, True, True, "TLS" if options.certificate else "HTTP")


def _is_ours(options: WebhookOptions) -> bool:
    """Whether the program on the port is a listener of this data source: they share a path, others may be new."""
    host = _ANY.get(options.listen, options.listen)
    try:
        with socket.create_connection((host, options.port), _SECONDS) as plain:
            connection = _unchecked().wrap_socket(plain) if options.certificate else plain
            with connection:
                connection.sendall(f"GET /{HEALTH} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
                answer = b""
                while part := connection.recv(4096):
                    answer += part
                    if len(answer) > _MAX_BYTES:
                        return False
        found = orjson.loads(answer.partition(b"\r\n\r\n")[2])
    except (OSError, orjson.JSONDecodeError):
        return False
    return isinstance(found, dict) and not set(marks_of(options)).isdisjoint(found.get("listener", ()))


def _unchecked() -> ssl.SSLContext:
    """For a question whose answer is no secret."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _certificate(options: WebhookOptions) -> CheckResult:
    """Whether certificate and key belong together, are good for a while, and name what senders call."""
    statement = "load certificate"
    try:
        server_context(options)
        chain = pem(options.certificate)
        end = end_of(chain)
        host = urlsplit(options.url).hostname or ""
        is_named = not host or _names(chain, host)
    except (OSError, ValueError) as error:
        return CheckResult("permissions", statement, False, True, str(error)[:200], "", "certificate")
    now = datetime.now(UTC)
    detail = f"{end:%Y-%m-%d}" if is_named else f"{end:%Y-%m-%d}, not for {host}"
    return CheckResult(
        "permissions",
        statement,
        is_named and now + _SOON < end,
        end <= now,
        detail,
        "",
        "" if is_named else "certificate",
    )


def _names(chain: bytes, host: str) -> bool:
    """Whether the certificate is for this host."""
    try:
        names = x509.load_pem_x509_certificates(chain)[0].extensions.get_extension_for_class(
            x509.SubjectAlternativeName
        )
    except x509.ExtensionNotFound:
        return False
    addresses = [str(one) for one in names.value.get_values_for_type(x509.IPAddress)]
    known = [one.lower() for one in names.value.get_values_for_type(x509.DNSName)]
    return host in addresses or host in known or f"*.{host.partition('.')[2]}" in known


def _paths(options: WebhookOptions) -> Iterator[CheckResult]:
    """How each path is verified. One that anyone can write to is a warning."""
    for path in options.paths()[:_SHOWN]:
        statement = f"POST {options.public(path)}"
        try:
            gate = gate_of(options, path)
        except SourceNotReady as error:
            detail = f"{error.facts['setting']}: {error.facts['value']}"
            yield CheckResult("permissions", statement, False, True, detail, f"{error.facts['expected']}")
            continue
        if gate.scheme.name == "none":
            remedy = "standard, github, stripe, slack, hmac, token, basic"
            yield CheckResult("permissions", statement, False, False, "none: anyone can write", remedy)
        else:
            yield CheckResult("permissions", statement, True, True, f"{gate.scheme}, {len(gate.secrets)}")
