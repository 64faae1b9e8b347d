"""The connection test, check by check: the address, and the first page of each resource, or what a target needs."""

import time

from zcbus.connectors.errors import AccessDenied, TableRefused
from zcbus.connectors.http.client import Client
from zcbus.connectors.http.document import Resource
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import Records
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.http.target.check import check_target
from zcbus.connectors.reachability import reachable_url
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError

_SECONDS = 10.0
_TRIED = 5


class HttpTester:
    """See Tester."""

    def test(self, options: HttpOptions, side: Side) -> list[CheckResult]:
        found = [reachable_url(options.url, options.way, _SECONDS / 2)]
        if not found[-1].ok:
            return found
        interface = read(options.definition)
        if side == "target":
            return [*found, *check_target(options, interface)]
        client = Client(options, interface, patient=False)
        records, end = Records(options, interface, client), time.monotonic() + _SECONDS
        try:
            for resource in interface.resources[:_TRIED]:
                found.append(_first_page(records, resource))
                if not found[-1].ok or time.monotonic() > end:
                    break
        finally:
            client.close()
        return found


def _first_page(records: Records, resource: Resource) -> CheckResult:
    statement = f"{resource.method} {resource.path}"
    try:
        rows = next(records.batches(resource), None)
    except AccessDenied as error:
        return CheckResult("login", statement, False, True, str(error.facts["detail"]), "", "account")
    except TableRefused as error:
        return CheckResult("resource", statement, False, True, str(error.facts["detail"]), "", "document")
    except ZcbusError as error:
        return CheckResult("reachable", statement, False, True, str(error.facts.get("detail", error)), "", "address")
    return CheckResult("resource", statement, True, True, f"{resource.name}: {0 if rows is None else rows.num_rows}")
