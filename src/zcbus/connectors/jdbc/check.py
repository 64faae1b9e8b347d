"""The connection test, check by check."""

import shutil

from zcbus.connectors.errors import AccessDenied, JavaMissing, SourceNotReady
from zcbus.connectors.jdbc import jvm
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.jdbc.drivers import driver_files
from zcbus.connectors.jdbc.options import JdbcOptions
from zcbus.connectors.roles import Advice, CheckResult, Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.network import dial

_CONNECT_SECONDS = 4.0


class JdbcTester:
    """See roles.Tester."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def test(self, options: JdbcOptions, side: Side) -> list[CheckResult]:
        results = [_reachable(options)]
        for check in (_java, self._driver):
            if results[-1].ok:
                results.append(check(options))
        return [*results, *self._logged_in(options, side)] if results[-1].ok else results

    def _driver(self, options: JdbcOptions) -> CheckResult:
        statement = f"load {self._dialect.driver}"
        try:
            files = driver_files(options.driver, self._dialect.jar_names)
            jvm.first_driver((self._dialect.driver, *self._dialect.others), files)
        except (OSError, ValueError) as error:
            return CheckResult("driver", statement, False, True, str(error), "", "driver")
        return CheckResult("driver", statement, True, True, ", ".join(path.name for path in files))

    def _logged_in(self, options: JdbcOptions, side: Side) -> list[CheckResult]:
        statement = f"log in as {options.user}, database {options.database}"
        try:
            with Connection(self._dialect, options, side) as connection:
                version = f"{self._dialect.name} {connection.version}"
                connection.metadata("getSchemas", columns=["TABLE_SCHEM"])
        except ZcbusError as error:
            return [CheckResult("login", statement, False, True, _detail(error), "", _advice(error))]
        return [
            CheckResult("login", statement, True, True, options.user),
            CheckResult("version", "DatabaseMetaData.getDatabaseProductVersion", True, True, version),
        ]


def _reachable(options: JdbcOptions) -> CheckResult:
    statement = f"TCP connect to {options.host}:{options.port}"
    try:
        with dial(options.host, options.port, _CONNECT_SECONDS):
            return CheckResult("reachable", statement, True, True, options.address)
    except OSError as error:
        return CheckResult("reachable", statement, False, True, str(error), "", "address")


def _java(options: JdbcOptions) -> CheckResult:
    statement = "start Java"
    try:
        jvm.start()
    except JavaMissing as error:
        return CheckResult("java", statement, False, True, _detail(error), "apt install default-jre-headless", "java")
    return CheckResult("java", statement, True, True, shutil.which("java") or "libjvm")


def _detail(error: ZcbusError) -> str:
    return str(error.facts.get("detail") or error.facts.get("expected") or error)


def _advice(error: ZcbusError) -> Advice:
    if isinstance(error, AccessDenied):
        return "account"
    return "database" if isinstance(error, SourceNotReady) else "server-log"
