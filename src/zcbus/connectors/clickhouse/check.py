"""The connection test, check by check."""

import re

from zcbus.connectors.clickhouse.connection import ClickHouseConnection
from zcbus.connectors.clickhouse.spec import ClickHouseOptions
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.roles.connector import Advice
from zcbus.kit.errors import ZcbusError

_SECONDS = 10.0
_OLDEST = (24, 3)


class ClickHouseTester:
    """See roles.Tester."""

    def test(self, options: ClickHouseOptions, side: Side) -> list[CheckResult]:
        results = [reachable(options.host, options.port, options.way, _SECONDS)]
        if not results[0].ok:
            return results
        with ClickHouseConnection(options, _SECONDS) as connection:
            for item, ask in (("version", _version), ("permissions", _database)):
                try:
                    results += ask(connection)
                except ZcbusError as error:
                    return [*results, _failed(item, error)]
                if not results[-1].ok:
                    return results
        return results


def _failed(item: str, error: ZcbusError) -> CheckResult:
    detail = str(error.facts.get("detail", error))
    advice: Advice = "address"
    if isinstance(error, AccessDenied):
        item, advice = "login", "account"
    elif "UNKNOWN_DATABASE" in detail:
        item, advice = "database", "database"
    return CheckResult(item, "SELECT version()", False, True, detail, "", advice)


def _version(connection: ClickHouseConnection) -> list[CheckResult]:
    statement = "SELECT version()"
    ((version,),) = connection.rows(statement)
    number = version.decode()
    login = CheckResult("login", statement, True, True, connection.options.user)
    parts = tuple(int(one) for one in re.findall(r"\d+", number)[:2])
    if parts < _OLDEST:
        least = f"ClickHouse >= {'.'.join(map(str, _OLDEST))}"
        return [login, CheckResult("version", statement, False, True, number, least, "newer-version")]
    return [login, CheckResult("version", statement, True, True, number)]


def _database(connection: ClickHouseConnection) -> list[CheckResult]:
    database = connection.options.database
    statement = "SELECT engine FROM system.databases WHERE name = currentDatabase()"
    rows = connection.rows(statement)
    engine = rows[0][0].decode() if rows else ""
    if engine not in ("Atomic", "Ordinary"):
        return [CheckResult("database", statement, False, True, f"{database}: {engine or '-'}", "", "single-server")]
    found = CheckResult("database", statement, True, True, f"{database}: {engine}")
    asked = "SELECT value FROM system.settings WHERE name = 'readonly'"
    ((readonly,),) = connection.rows(asked)
    writes, detail = readonly == b"0", f"readonly = {readonly.decode()}"
    return [found, CheckResult("permissions", asked, writes, True, detail, "", "" if writes else "access")]
