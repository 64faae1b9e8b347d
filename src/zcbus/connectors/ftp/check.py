"""The connection test, check by check."""

import ftplib
import ssl
from collections.abc import Callable
from contextlib import suppress

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied, SourceNotReady
from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.ftp.access import access_of, store_of
from zcbus.connectors.ftp.spec import FtpOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.stores.ftp import FtpAccess, FtpConnection

_SECONDS = 5.0


class FtpTester:
    """See Tester."""

    def test(self, options: FtpOptions, side: Side) -> list[CheckResult]:
        found = _signed_in(options)
        if all(check.ok for check in found):
            files = FilesTester(lambda _: store_of(options, _SECONDS), "permissions")
            found += files.test(options, side)
        return found


def _signed_in(options: FtpOptions) -> list[CheckResult]:
    """Checks of address, encryption and account, up to the first that fails."""
    access, user = access_of(options), options.user or "anonymous"
    connection = FtpConnection(access, _SECONDS)
    steps: list[tuple[str, str, Callable[[], str]]] = [
        ("reachable", f"TCP connect to {access.address}", connection.dialled),
        ("tls", "TLS" if access.implicit else "AUTH TLS", connection.secured),
        ("login", f"USER {user}", lambda: _login(connection, user)),
    ]
    if access.tls == "disable":
        del steps[1]
    found: list[CheckResult] = []
    try:
        for item, statement, step in steps:
            found.append(_checked(access, item, statement, step))
            if not found[-1].ok:
                break
    finally:
        with suppress(OSError):
            connection.close()
    return found


def _login(connection: FtpConnection, user: str) -> str:
    connection.signed_in()
    return user


def _checked(access: FtpAccess, item: str, statement: str, step: Callable[[], str]) -> CheckResult:
    try:
        return CheckResult(item, statement, True, True, step())
    except (ftplib.Error, OSError, EOFError, ValueError, AccessDenied, SourceNotReady) as error:
        return _failed(access, item, statement, error)


def _failed(access: FtpAccess, item: str, statement: str, error: Exception) -> CheckResult:
    failure = access.error_of(error)
    detail = str(failure.facts.get("detail") or failure.facts.get("value"))
    if isinstance(failure, AccessDenied):
        return CheckResult("login", statement, False, True, detail, "", "account")
    if isinstance(failure, SourceNotReady):
        return CheckResult("tls", statement, False, True, detail, "tls = disable", "no-tls")
    if tls.is_untrusted(error):
        return CheckResult("tls", statement, False, True, detail, "", "certificate")
    if isinstance(error, ssl.SSLError) and item != "login":
        return CheckResult("tls", statement, False, True, detail, "", "tls-port")
    return CheckResult(item, statement, False, True, detail, "", "address")
