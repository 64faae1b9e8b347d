"""The connection test, check by check."""

from urllib.parse import urlsplit

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.selection import selection
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.stores.web import WebClient
from zcbus.connectors.webfiles.access import access_of, listing_of, store_of
from zcbus.connectors.webfiles.spec import WebFilesOptions
from zcbus.kit.errors import ZcbusError
from zcbus.kit.network import dial

_SECONDS = 5.0


class WebFilesTester:
    """See Tester."""

    def test(self, options: WebFilesOptions, side: Side) -> list[CheckResult]:
        found = [_reachable(options.url)]
        if found[-1].ok:
            found.append(_listed(options))
        if all(check.ok for check in found):
            found += FilesTester(lambda _: store_of(options, _SECONDS), "permissions").test(options, side)
        return found


def _reachable(url: str) -> CheckResult:
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    statement = f"TCP connect to {host}:{port}"
    try:
        with dial(host, port, _SECONDS) as connection:
            peer = connection.getpeername()
    except (OSError, UnicodeError) as error:
        return CheckResult("reachable", statement, False, True, str(error), "", "address")
    return CheckResult("reachable", statement, True, True, f"{peer[0]}:{peer[1]}")


def _listed(options: WebFilesOptions) -> CheckResult:
    """The list of the files' addresses, before any of them is asked for."""
    statement, client = f"GET {options.url}", WebClient(access_of(options), _SECONDS)
    try:
        found = listing_of(options).files(client, selection(options))
    except AccessDenied as error:
        return CheckResult("login", statement, False, True, str(error.facts["detail"]), "", "account")
    except ZcbusError as error:
        detail = str(error.facts.get("detail", error))
        if tls.is_untrusted(error):
            return CheckResult("tls", statement, False, True, detail, "", "certificate")
        return CheckResult("resource", statement, False, True, detail, "", "file-list")
    finally:
        client.close()
    return CheckResult("resource", statement, True, True, str(len(found)))
