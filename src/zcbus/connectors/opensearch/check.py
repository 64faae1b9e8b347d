"""The connection test, check by check."""

import re

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.opensearch.connection import OpenSearchConnection
from zcbus.connectors.opensearch.indexes import Indexes
from zcbus.connectors.opensearch.spec import OpenSearchOptions
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.roles.connector import Advice
from zcbus.kit.errors import ZcbusError

_SECONDS = 10.0
_OLDEST = {"opensearch": (2, 8), "elasticsearch": (7, 17)}
"""By distribution: what came later has all that we use."""
_SHOWN = 5


class OpenSearchTester:
    """See roles.Tester."""

    def test(self, options: OpenSearchOptions, side: Side) -> list[CheckResult]:
        results = [reachable(options.host, options.port, options.way, _SECONDS)]
        if not results[0].ok:
            return results
        with OpenSearchConnection(options, _SECONDS) as connection:
            for item, ask in (("version", _version), ("permissions", _tables)):
                try:
                    results += ask(connection)
                except ZcbusError as error:
                    denied = isinstance(error, AccessDenied)
                    detail, item = str(error.facts.get("detail", error)), "login" if denied else item
                    advice: Advice = "account" if denied else "address"
                    return [*results, CheckResult(item, "GET /", False, True, detail, "", advice)]
                if not results[-1].ok:
                    return results
        return results


def _version(connection: OpenSearchConnection) -> list[CheckResult]:
    answer = connection.ask("GET", "/")
    version = answer.get("version") if isinstance(answer, dict) else None
    version = version if isinstance(version, dict) else {}
    kind, number = str(version.get("distribution") or "elasticsearch"), str(version.get("number") or "")
    login = CheckResult("login", "GET /", True, True, connection.options.user or "-")
    parts = tuple(int(one) for one in re.findall(r"\d+", number)[:2])
    oldest = _OLDEST.get(kind, (0,))
    detail = f"{kind} {number}"
    if parts < oldest:
        least = ".".join(map(str, oldest))
        return [login, CheckResult("version", "GET /", False, True, detail, f"{kind} >= {least}", "newer-version")]
    return [login, CheckResult("version", "GET /", True, True, detail)]


def _tables(connection: OpenSearchConnection) -> list[CheckResult]:
    prefix = connection.options.prefix
    statement = f"GET /{prefix}*/_mapping"
    try:
        names = [str(name.table) for name in Indexes(connection).schemas(None)]
    except AccessDenied as error:
        detail = str(error.facts.get("detail", error))
        remedy = f"{prefix}*: read, write, create_index, delete_index, manage"
        return [CheckResult("permissions", statement, False, True, detail, remedy, "access")]
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    return [CheckResult("permissions", statement, True, True, f"{len(names)}: {shown}" if names else "0")]
