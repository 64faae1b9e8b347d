"""The connection test, check by check."""

import re

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.opensearch.catalog import Catalog, StoredTable
from zcbus.connectors.opensearch.connection import OpenSearchConnection, path
from zcbus.connectors.opensearch.fields import suggested
from zcbus.connectors.opensearch.indexes import Indexes
from zcbus.connectors.opensearch.spec import ID, REST, OpenSearchOptions
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
        with OpenSearchConnection(options, _SECONDS, side) as connection:
            tables = _readable if side == "source" else _tables
            for item, ask in (("version", _version), ("permissions", tables)):
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
    statement = f"GET /{connection.options.prefix}*/_mapping"
    needed = "read, write, create_index, delete_index, manage"
    try:
        return [_listed(statement, [name.table for name in Indexes(connection).schemas(None)])]
    except AccessDenied as error:
        return [_denied(connection, statement, needed, error)]


def _readable(connection: OpenSearchConnection) -> list[CheckResult]:
    """Whether indexes can be listed and refreshed, and columns for those that have none declared."""
    statement = f"POST /{connection.options.prefix}*/_refresh"
    try:
        found = list(Catalog(connection).tables().values())
        connection.ask("POST", f"/{path(connection.options.prefix)[1:]}*/_refresh", allow_no_indices="true")
    except AccessDenied as error:
        return [_denied(connection, statement, "read, view_index_metadata, maintenance", error)]
    results = [_listed(statement, [one.schema.name.table for one in found])]
    bare = [one for one in found if one.schema.names == (ID, REST)]
    return [*results, *(_suggestion(one, columns) for one in bare[:_SHOWN] if (columns := suggested(one.fields)))]


def _listed(statement: str, names: list[str]) -> CheckResult:
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    return CheckResult("permissions", statement, True, True, f"{len(names)}: {shown}" if names else "0")


def _denied(connection: OpenSearchConnection, statement: str, needed: str, error: AccessDenied) -> CheckResult:
    detail, remedy = str(error.facts.get("detail", error)), f"{connection.options.prefix}*: {needed}"
    return CheckResult("permissions", statement, False, True, detail, remedy, "access")


def _suggestion(table: StoredTable, columns: str) -> CheckResult:
    name = table.schema.name.table
    return CheckResult("columns", f"GET /{table.index}/_mapping", True, False, f"{name}: {columns}")
