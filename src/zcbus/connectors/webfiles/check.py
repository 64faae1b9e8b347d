"""The connection test, check by check."""

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.selection import selection
from zcbus.connectors.reachability import reachable_url
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.stores.web import WebClient
from zcbus.connectors.webfiles.access import access_of, listing_of, store_of
from zcbus.connectors.webfiles.spec import WebFilesOptions
from zcbus.kit.errors import ZcbusError

_SECONDS = 5.0


class WebFilesTester:
    """See Tester."""

    def test(self, options: WebFilesOptions, side: Side) -> list[CheckResult]:
        found = [reachable_url(options.url, options.way, _SECONDS)]
        if found[-1].ok:
            found.append(_listed(options))
        if all(check.ok for check in found):
            found += FilesTester(lambda _: store_of(options, _SECONDS), "permissions").test(options, side)
        return found


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
