"""The connection test, check by check."""

import re

from zcbus.connectors.cassandra.catalog import Catalog
from zcbus.connectors.cassandra.connection import CassandraConnection, text
from zcbus.connectors.cassandra.spec import CassandraOptions
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.roles.connector import Advice
from zcbus.kit.errors import ZcbusError

_SECONDS = 10.0
_OLDEST = (3, 11)
_SHOWN = 5


class CassandraTester:
    """See roles.Tester."""

    def test(self, options: CassandraOptions, side: Side) -> list[CheckResult]:
        results = [reachable(options.host, options.port, None, _SECONDS)]
        if not results[0].ok:
            return results
        with CassandraConnection(options, side, _SECONDS) as connection:
            for item, ask in (("version", _version), ("database", _keyspace), ("permissions", _tables)):
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
        item, advice = ("login", "account") if item == "version" else (item, "access")
    return CheckResult(item, "SELECT … FROM system.local", False, True, detail, "", advice)


def _version(connection: CassandraConnection) -> list[CheckResult]:
    statement = "SELECT release_version, data_center FROM system.local"
    ((number, datacenter),) = connection.rows(statement)
    login = CheckResult("login", statement, True, True, connection.options.user or "-")
    parts = tuple(int(one) for one in re.findall(r"\d+", number)[:2])
    detail = f"{number}, {datacenter}"
    if parts < _OLDEST:
        least = f"Cassandra >= {'.'.join(map(str, _OLDEST))}"
        return [login, CheckResult("version", statement, False, True, detail, least, "newer-version")]
    return [login, CheckResult("version", statement, True, True, detail)]


def _keyspace(connection: CassandraConnection) -> list[CheckResult]:
    keyspace = connection.options.keyspace
    statement = f"SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = {text(keyspace)}"
    rows = connection.rows(statement)
    if not rows:
        return [CheckResult("database", statement, False, True, f"{keyspace}: -", "", "database")]
    shown = ", ".join(f"{name}: {value.rsplit('.', 1)[-1]}" for name, value in sorted(rows[0][0].items()))
    return [CheckResult("database", statement, True, True, f"{keyspace} ({shown})")]


def _tables(connection: CassandraConnection) -> list[CheckResult]:
    keyspace = connection.options.keyspace
    statement = f"SELECT table_name FROM system_schema.tables WHERE keyspace_name = {text(keyspace)}"
    names = [str(name.table) for name in Catalog(connection).schemas()]
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    return [CheckResult("permissions", statement, True, True, f"{len(names)}: {shown}" if names else "0")]
