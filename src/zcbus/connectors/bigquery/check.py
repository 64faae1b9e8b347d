"""The connection test, check by check."""

from zcbus.connectors.bigquery.connection import BigQueryConnection
from zcbus.connectors.bigquery.spec import BigQueryOptions
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.reachability import reachable_url
from zcbus.connectors.roles import Advice, CheckResult, Side
from zcbus.kit.errors import ZcbusError

_CONNECT_SECONDS = 5.0
_STATEMENT_SECONDS = 30.0
_QUERY = "SELECT SESSION_USER()"


class BigQueryTester:
    """See Tester."""

    def test(self, options: BigQueryOptions, side: Side) -> list[CheckResult]:
        found = [reachable_url(options.url, options.way, _CONNECT_SECONDS)]
        with BigQueryConnection(options, side, _STATEMENT_SECONDS) as connection:
            if found[-1].ok:
                found.append(_signed_in(connection))
            if found[-1].ok:
                found.append(_reads(connection))
        return found


def _signed_in(connection: BigQueryConnection) -> CheckResult:
    try:
        ((account,),) = connection.rows(_QUERY)
    except ZcbusError as error:
        return CheckResult("login", _QUERY, False, True, _detail(error), "", _advice(error))
    return CheckResult("login", _QUERY, True, True, str(account))


def _reads(connection: BigQueryConnection) -> CheckResult:
    statement = "datasets.list"
    try:
        found = connection.get("/datasets", maxResults="1000").get("datasets", ())
    except ZcbusError as error:
        return CheckResult("permissions", statement, False, True, _detail(error), "", _advice(error))
    return CheckResult("permissions", statement, True, True, str(len(found)))


def _detail(error: ZcbusError) -> str:
    return str(error.facts.get("detail") or error)


def _advice(error: ZcbusError) -> Advice:
    return "account" if isinstance(error, AccessDenied) else "server-log"
