"""The connection test, check by check."""

from zcbus.connectors.doris.connection import DorisConnection
from zcbus.connectors.doris.spec import DorisOptions
from zcbus.connectors.errors import AccessDenied, SourceNotReady
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import Advice, CheckResult, Side
from zcbus.kit.errors import ZcbusError

_CONNECT_SECONDS = 5.0
_RESPONSE_SECONDS = 8.0
PRODUCTS = ("doris", "starrocks")
"""Are in what the server says that it is."""
_TABLES = "SELECT COUNT(*) FROM information_schema.tables WHERE TABLE_SCHEMA = ?"


class DorisTester:
    """See Tester."""

    def test(self, options: DorisOptions, side: Side) -> list[CheckResult]:
        reached = reachable(options.host, options.port, options.way, _CONNECT_SECONDS)
        if not reached.ok:
            return [reached]
        statement = f"log in as {options.user}, USE {options.database}"
        try:
            with DorisConnection(options, side, _RESPONSE_SECONDS) as connection:
                return [reached, CheckResult("login", statement, True, True, options.user), *_read(connection, options)]
        except ZcbusError as error:
            detail = str(error.facts.get("detail") or error)
            return [reached, CheckResult("login", statement, False, True, detail, "", _advice(error))]


def _read(connection: DorisConnection, options: DorisOptions) -> list[CheckResult]:
    statement, text = options.variant.version, connection.version
    if not any(name in text.lower() for name in PRODUCTS):
        return [CheckResult("version", statement, False, True, text, options.variant.product, "other-product")]
    ((count,),) = connection.rows(_TABLES, [options.database])
    return [
        CheckResult("version", statement, True, True, text),
        CheckResult("permissions", _TABLES.replace("?", options.database), True, True, str(count)),
    ]


def _advice(error: ZcbusError) -> Advice:
    if isinstance(error, AccessDenied):
        return "account"
    return "database" if isinstance(error, SourceNotReady) else "server-log"
