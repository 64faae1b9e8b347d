"""The connection test, check by check."""

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.reachability import reachable_url
from zcbus.connectors.roles import Advice, CheckResult, Side
from zcbus.connectors.snowflake.connection import SnowflakeConnection
from zcbus.connectors.snowflake.spec import SnowflakeOptions
from zcbus.kit.errors import ZcbusError

_CONNECT_SECONDS = 5.0
_STATEMENT_SECONDS = 60.0
"""A warehouse may have to wake."""
_VERSION = "SELECT CURRENT_VERSION()"
_TABLES = "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE = 'BASE TABLE'"


class SnowflakeTester:
    """See Tester."""

    def test(self, options: SnowflakeOptions, side: Side) -> list[CheckResult]:
        found = [reachable_url(options.url, options.way, _CONNECT_SECONDS)]
        with SnowflakeConnection(options, side, _STATEMENT_SECONDS) as connection:
            for item, statement in (("login", _VERSION), ("permissions", _TABLES)):
                if found[-1].ok:
                    found.append(_tried(connection, item, statement))
        return found


def _tried(connection: SnowflakeConnection, item: str, statement: str) -> CheckResult:
    try:
        ((value,),) = connection.rows(statement)
    except ZcbusError as error:
        detail = str(error.facts.get("detail") or error)
        return CheckResult(item, statement, False, True, detail, "", _advice(error, item))
    return CheckResult(item, statement, True, True, str(value))


def _advice(error: ZcbusError, item: str) -> Advice:
    if isinstance(error, AccessDenied):
        return "account"
    return "database" if item == "permissions" else "server-log"
