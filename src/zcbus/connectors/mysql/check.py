"""The connection test, check by check."""

from collections.abc import Iterator

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.mysql.connection.grants import Grants, read_grants
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.variant import Variant, variant_of
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import Advice, CheckResult, Side
from zcbus.kit.errors import TerminalError, TransientError, ZcbusError
from zcbus.model.states import LoadType

_CONNECT_SECONDS = 5.0
_RESPONSE_SECONDS = 8.0
_OLDEST_MARIADB = (10, 3, 0)
_OLDEST_MYSQL = (5, 7, 0)
_MIN_RETENTION_HOURS = 72  # the default retention of topics
_ONLY_AT_START = frozenset({"log_bin", "server_id"})
_TARGET_RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER")
_TEMPORARY = "CREATE TEMPORARY TABLES"


class MySQLTester:
    """See Tester."""

    def test(self, options: ConnectionOptions, side: Side) -> list[CheckResult]:
        reached = reachable(options.host, options.port, options.way, _CONNECT_SECONDS, "[mysqld] bind_address=*")
        if not reached.ok:
            return [reached]
        try:
            session = Session(options, side, timeout=_RESPONSE_SECONDS)
        except ZcbusError as error:
            return [reached, _login_failed(options, error)]
        with session:
            login = _passed("login", f"log in as {options.user}, USE {options.database}", _current_user(session))
            return [reached, login, *_checks(session, options, side)]


def _checks(session: Session, options: ConnectionOptions, side: Side) -> Iterator[CheckResult]:
    variant = variant_of(options)
    version = _version(session, variant)
    yield version
    if not version.ok:
        return
    try:
        grants = read_grants(session)
        if side == "source":
            yield _may_read(grants, options)
            if variant.has_log:
                yield from _log_checks(session, grants, options)
        else:
            yield _may_write(grants, options)
            if variant.temporary_tables:
                yield from _makes_temporary_tables(session)
            if variant.local_data and options.load_type is LoadType.BULK:
                yield _local_infile(session)
    except ZcbusError as error:
        yield _failed("permissions", "SHOW GRANTS", str(error.facts.get("detail", error)), "")


def _log_checks(session: Session, grants: Grants, options: ConnectionOptions) -> Iterator[CheckResult]:
    settings = _log_settings(session)
    yield settings
    if settings.ok:
        yield from _sends_log(session)
    yield from _own_log(session)
    yield _log_retention(session)
    yield from _log_metadata(session)
    yield _replication_rights(session, grants, options)


def _login_failed(options: ConnectionOptions, error: ZcbusError) -> CheckResult:
    detail = str(error.facts.get("detail", error))
    remedy = f"CREATE USER {_account(options)} IDENTIFIED BY '…';"
    advice: Advice = "account"
    if error.code == "source-not-ready":
        detail = f"Unknown database '{options.database}'"
        remedy, advice = f"CREATE DATABASE `{options.database}`;", "database"
    elif isinstance(error, TransientError):
        remedy, advice = "", "server-log"
    return _failed("login", f"log in as {options.user}, USE {options.database}", detail, remedy, advice)


def _current_user(session: Session) -> str:
    return str(session.rows("SELECT CURRENT_USER()")[0][0])


def _version(session: Session, variant: Variant) -> CheckResult:
    version = session.version
    if not variant.is_product(version.text):
        return _failed("version", "SELECT VERSION()", version.text, variant.wanted, "other-product")
    if not variant.is_new_enough(version.text):
        return _failed("version", "SELECT VERSION()", version.text, variant.wanted, "newer-version")
    if version.at_least(_OLDEST_MARIADB, _OLDEST_MYSQL):
        return _passed("version", "SELECT VERSION()", version.text)
    return _failed("version", "SELECT VERSION()", version.text, "MySQL 5.7 / MariaDB 10.3", "newer-version")


def _may_read(grants: Grants, options: ConnectionOptions) -> CheckResult:
    remedy = f"GRANT SELECT ON `{options.database}`.* TO {_account(options)};"
    if grants.on_database(options.database, "SELECT"):
        return _passed("permissions", "SHOW GRANTS", f"SELECT on {options.database}.*")
    if grants.somewhere(options.database, "SELECT"):
        return _warned("permissions", "SHOW GRANTS", f"SELECT on some tables of {options.database} only", remedy)
    return _failed("permissions", "SHOW GRANTS", f"no SELECT on {options.database}.*", remedy)


def _may_write(grants: Grants, options: ConnectionOptions) -> CheckResult:
    wanted = [*_TARGET_RIGHTS, *([_TEMPORARY] if variant_of(options).temporary_tables else [])]
    missing = [right for right in wanted if not grants.on_database(options.database, right)]
    if not missing:
        return _passed("permissions", "SHOW GRANTS", f"{', '.join(wanted)} on {options.database}.*")
    remedy = f"GRANT {', '.join(missing)} ON `{options.database}`.* TO {_account(options)};"
    return _failed("permissions", "SHOW GRANTS", f"missing: {', '.join(missing)}", remedy)


def _makes_temporary_tables(session: Session) -> Iterator[CheckResult]:
    """Changes are staged in temporary tables. Some compatible servers grant the right to them and do not support
    them."""
    statement = "CREATE TEMPORARY TABLE"
    try:
        session.execute("CREATE TEMPORARY TABLE zcbus_check (k int)")
    except AccessDenied:
        return  # a matter of rights, which have been checked
    except TerminalError as error:
        yield _failed("permissions", statement, str(error.facts.get("detail", error)), "", "no-temporary-tables")


def _log_settings(session: Session) -> CheckResult:
    required = {"log_bin": "ON", "binlog_format": "ROW", "binlog_row_image": "FULL", "binlog_row_value_options": ""}
    values = {name: session.variable(name) for name in (*required, "server_id")}
    wrong = {name: value for name, value in required.items() if values[name].upper() != value}
    statement = f"SHOW GLOBAL VARIABLES: {', '.join(values)}"
    detail = ", ".join(f"{name}={value}" for name, value in values.items() if value or name in wrong)
    if values["server_id"] == "0":
        wrong["server_id"] = "1"
    if not wrong:
        return _passed("log-settings", statement, detail)
    advice: Advice = "server-restart" if _ONLY_AT_START.intersection(wrong) else "configuration"
    return _failed("log-settings", statement, detail, "\n".join(_setting(*item) for item in wrong.items()), advice)


def _sends_log(session: Session) -> Iterator[CheckResult]:
    """Compatible servers may claim to keep a log, without a statement that sends it."""
    statement = "SHOW BINARY LOGS"
    try:
        session.rows(statement)
    except AccessDenied:
        return  # a matter of rights, which have a check of their own
    except TerminalError as error:
        yield _failed("log-settings", statement, str(error.facts.get("reason", error)), "", "no-log")


def _setting(name: str, value: str) -> str:
    if name in _ONLY_AT_START:
        return "[mysqld] log-bin=binlog" if name == "log_bin" else "[mysqld] server-id=1"
    return f"SET GLOBAL {name} = '{value}';"


def _own_log(session: Session) -> Iterator[CheckResult]:
    """A replica writes its source's changes into its own log only if it is configured to."""
    value = session.variable("log_slave_updates") or session.variable("log_replica_updates")
    statement = "SHOW GLOBAL VARIABLES: log_slave_updates"
    if value.upper() == "OFF" and _is_replica(session):
        remedy = "[mysqld] log_slave_updates=ON"
        yield _failed("log-settings", statement, f"log_slave_updates={value}", remedy, "server-restart")


def _is_replica(session: Session) -> bool:
    """A read-only server counts as a replica if the account may not ask."""
    new_name = not session.version.mariadb and session.version.number >= (8, 0, 22)
    try:
        return bool(session.rows("SHOW REPLICA STATUS" if new_name else "SHOW SLAVE STATUS"))
    except ZcbusError:
        return session.variable("read_only").upper() == "ON"


def _log_retention(session: Session) -> CheckResult:
    """The server removes its log by time, even if a reader still needs it."""
    in_seconds = session.variable("binlog_expire_logs_seconds")
    seconds = int(in_seconds or 0) or int(float(session.variable("expire_logs_days") or 0) * 86400)
    statement = "SHOW GLOBAL VARIABLES: binlog_expire_logs_seconds, expire_logs_days"
    detail = f"{seconds / 3600:g} h" if seconds else "no limit"
    if not seconds or seconds >= _MIN_RETENTION_HOURS * 3600:
        return _passed("log-retention", statement, detail)
    # MariaDB before 10.6 and MySQL 5.7 know days only.
    required = "binlog_expire_logs_seconds = 259200" if in_seconds else "expire_logs_days = 3"
    return _warned("log-retention", statement, detail, f"SET GLOBAL {required};", "configuration")


def _log_metadata(session: Session) -> Iterator[CheckResult]:
    """Names and signs of columns in the log let rows be read that were written before a change of structure."""
    value = session.variable("binlog_row_metadata")
    statement = "SHOW GLOBAL VARIABLES: binlog_row_metadata"
    if value.upper() == "FULL":
        yield _passed("log-settings", statement, "binlog_row_metadata=FULL")
    elif value:
        remedy = "SET GLOBAL binlog_row_metadata = 'FULL';"
        yield _warned("log-settings", statement, f"binlog_row_metadata={value}", remedy, "configuration")


def _replication_rights(session: Session, grants: Grants, options: ConnectionOptions) -> CheckResult:
    required = ["REPLICATION SLAVE", "REPLICATION CLIENT"]
    if not session.version.mariadb:
        required.append("RELOAD")  # a moment's global read lock ties the snapshot to its position
    missing = [right for right in required if not (grants.globally(right) or grants.globally("SUPER"))]
    if not missing:
        return _passed("replication-rights", "SHOW GRANTS", f"{', '.join(required)} on *.*")
    remedy = f"GRANT {', '.join(missing)} ON *.* TO {_account(options)};"
    return _failed("replication-rights", "SHOW GRANTS", f"missing: {', '.join(missing)}", remedy)


def _local_infile(session: Session) -> CheckResult:
    statement = "SHOW GLOBAL VARIABLES: local_infile"
    value = session.variable("local_infile")
    if value.upper() == "ON":
        return _passed("local-infile", statement, "local_infile=ON")
    return _warned("local-infile", statement, f"local_infile={value}", "SET GLOBAL local_infile = ON;", "configuration")


def _account(options: ConnectionOptions) -> str:
    return f"'{options.user}'@'%'"


def _passed(item: str, statement: str, detail: str) -> CheckResult:
    return CheckResult(item, statement, True, True, detail)


def _failed(item: str, statement: str, detail: str, remedy: str, advice: Advice = "") -> CheckResult:
    return CheckResult(item, statement, False, True, detail, remedy, advice)


def _warned(item: str, statement: str, detail: str, remedy: str, advice: Advice = "") -> CheckResult:
    return CheckResult(item, statement, False, False, detail, remedy, advice)
