"""Tests a connection check by check; see roles.Tester."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psycopg

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql import origin
from zcbus.connectors.postgresql.apply import checkpoints
from zcbus.connectors.postgresql.capture import standby
from zcbus.connectors.postgresql.connection.errors import translate
from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError
from zcbus.connectors.postgresql.connection.quote import identifier
from zcbus.connectors.postgresql.connection.session import Connection, connect
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import Advice, CheckResult, Side
from zcbus.kit.errors import ZcbusError

OLDEST_VERSION = 12
_SECONDS = 4
_FIRST_WITH_A_LIMIT = 130000
_UNLIMITED = "-1"
_LIMIT_THE_LOG = "ALTER SYSTEM SET max_slot_wal_keep_size = '…GB'; SELECT pg_reload_conf();"
_PASSWORD_REFUSED = "28P01"  # noqa: S105
_NO_SUCH_DATABASE = "3D000"


class PostgreSQLTester:
    """See roles.Tester."""

    def test(self, options: ConnectionOptions, side: Side) -> list[CheckResult]:
        results = [_reachable(options)]
        if not results[0].ok:
            return results
        try:
            connection = connect(options, side, timeout=_SECONDS)
        except ZcbusError as error:
            return [*results, _login_failed(options, error)]
        with connection:
            connection.execute(f"SET statement_timeout = '{_SECONDS}s'")
            results.append(_login(connection))
            checks = _SOURCE_CHECKS if side == "source" else _TARGET_CHECKS
            for check in checks:
                results += _guarded(check, connection, options)
        return results


Check = Callable[[Connection, ConnectionOptions], Iterator[CheckResult]]


def _guarded(check: Check, connection: Connection, options: ConnectionOptions) -> list[CheckResult]:
    """The results of a check; a check that the database does not permit is a failed one."""
    found: list[CheckResult] = []
    try:
        found.extend(check(connection, options))
    except (psycopg.Error, ServerError, ConnectionLost) as error:
        detail = str(translate(error, options, "source").facts["detail"])
        found.append(CheckResult("permissions", check.__name__.strip("_"), False, True, detail))
    return found


def _reachable(options: ConnectionOptions) -> CheckResult:
    remedy = f"listen_addresses = '*'; port = {options.port}"
    return reachable(options.host, options.port, options.way, _SECONDS, remedy)


def _login(connection: Connection) -> CheckResult:
    statement = "SELECT current_user, current_database()"
    user, database = _one(connection, statement)
    return CheckResult("login", statement, True, True, f"{user} @ {database}")


def _login_failed(options: ConnectionOptions, error: ZcbusError) -> CheckResult:
    detail = str(error.facts.get("detail", error.code))
    remedy, advice = _how_to_log_in(options, detail)
    return CheckResult("login", f"connect as {options.user} to {options.database}", False, True, detail, remedy, advice)


def _how_to_log_in(options: ConnectionOptions, detail: str) -> tuple[str, Advice]:
    """Remedy and advice, by the server's error code: its messages depend on its language."""
    user, database = identifier(options.user), identifier(options.database)
    if _PASSWORD_REFUSED in detail:
        return f"ALTER ROLE {user} LOGIN PASSWORD '…'", "account"
    if _NO_SUCH_DATABASE in detail:
        return f"CREATE DATABASE {database} OWNER {user}", "database"
    return f"pg_hba.conf: host {database} {user} <address> scram-sha-256", "access"


def _version(connection: Connection, _: ConnectionOptions) -> Iterator[CheckResult]:
    version, number = _one(connection, "SELECT version(), current_setting('server_version_num')::int")
    ok = number >= OLDEST_VERSION * 10000
    result = CheckResult("version", "SELECT version()", ok, True, version)
    yield result if ok else replace(result, remedy=f"PostgreSQL {OLDEST_VERSION}", advice="newer-version")


def _check_origins(connection: Connection, statement: str, what: str) -> Iterator[CheckResult]:
    """Warn about links in both directions: before PostgreSQL 14 the log does not pass on origins, so changes return."""
    version = connection.info.server_version
    if version >= origin.FIRST_VERSION:
        return
    (other,) = _one(connection, statement)
    if other:
        detail = f"server_version_num = {version}; {what}"
        yield CheckResult("version", statement.strip(), False, False, detail, "PostgreSQL 14", "both-directions")


def _not_written_by_links(connection: Connection, _: ConnectionOptions) -> Iterator[CheckResult]:
    yield from _check_origins(
        connection, _WRITTEN_BY_LINKS, f"another link writes to this database ({checkpoints.TABLE})"
    )


def _not_read_by_links(connection: Connection, _: ConnectionOptions) -> Iterator[CheckResult]:
    yield from _check_origins(connection, _READ_BY_LINKS, "another link reads this database (publication zcbus_…)")


def _readable(connection: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    statement = "SELECT count(*) FILTER (WHERE has_table_privilege(oid, 'SELECT')), count(*) FROM pg_class"
    readable, owned, total = _one(connection, _TABLE_RIGHTS)
    user = identifier(options.user)
    remedy = f"GRANT SELECT ON ALL TABLES IN SCHEMA … TO {user}; GRANT USAGE ON SCHEMA … TO {user}"
    ok = readable == total
    yield CheckResult("permissions", statement, ok, False, f"SELECT: {readable}/{total}", "" if ok else remedy)
    statement = "SELECT count(*) FROM pg_class WHERE pg_has_role(relowner, 'USAGE')"
    remedy = f"ALTER TABLE … OWNER TO …; GRANT <owner> TO {user}"
    ok = owned == total
    yield CheckResult("permissions", statement, ok, False, f"OWNER: {owned}/{total}", "" if ok else remedy)


def _may_publish(connection: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    statement = "SELECT has_database_privilege(current_database(), 'CREATE')"
    (ok,) = _one(connection, statement)
    remedy = f"GRANT CREATE ON DATABASE {identifier(options.database)} TO {identifier(options.user)}"
    yield CheckResult("permissions", statement, ok, True, f"CREATE PUBLICATION: {_yes_or_no(ok)}", "" if ok else remedy)


def _log_settings(connection: Connection, _: ConnectionOptions) -> Iterator[CheckResult]:
    (level,) = _one(connection, "SHOW wal_level")
    yield _setting("SHOW wal_level", level == "logical", f"wal_level = {level}", "wal_level = 'logical'")
    for name, statement in _SLOT_LIMITS.items():
        limit, used = _one(connection, statement)
        yield _setting(statement, used < limit, f"{name}: {used}/{limit}", f"{name} = {limit + 10}")


def _setting(statement: str, ok: bool, detail: str, required: str) -> CheckResult:
    """One that only a restart of the server changes."""
    result = CheckResult("log-settings", statement, ok, True, detail)
    return result if ok else replace(result, remedy=f"ALTER SYSTEM SET {required};", advice="server-restart")


def _log_retention(connection: Connection, _: ConnectionOptions) -> Iterator[CheckResult]:
    """The server's own limit is the only one that applies while no agent can act; before 13 it does not exist."""
    if connection.info.server_version < _FIRST_WITH_A_LIMIT:
        return
    (limit,) = _one(connection, "SHOW max_slot_wal_keep_size")
    ok = limit != _UNLIMITED
    detail = f"max_slot_wal_keep_size = {limit}"
    result = CheckResult("log-retention", "SHOW max_slot_wal_keep_size", ok, False, detail)
    yield result if ok else replace(result, remedy=_LIMIT_THE_LOG, advice="log-limit")


def _primary(connection: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    is_standby, newest = standby.is_standby(connection), connection.info.server_version >= standby.FIRST_VERSION
    ok = newest or not is_standby
    detail = f"pg_is_in_recovery: {_yes_or_no(is_standby)}"
    result = CheckResult("log-settings", "SELECT pg_is_in_recovery()", ok, True, detail)
    yield result if ok else replace(result, advice="primary")
    if is_standby and newest:
        yield _feedback(connection)
        yield from _primary_of(connection, options)


def _feedback(connection: Connection) -> CheckResult:
    """Without feedback the primary cleans up what a slot on the standby needs, and the slot is lost."""
    (value,) = _one(connection, "SHOW hot_standby_feedback")
    remedy = "" if value == "on" else "ALTER SYSTEM SET hot_standby_feedback = on; SELECT pg_reload_conf();"
    detail = f"hot_standby_feedback = {value}"
    return CheckResult("log-settings", "SHOW hot_standby_feedback", value == "on", True, detail, remedy)


def _primary_of(connection: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    """A standby's publications are created at its primary, which must be reachable at the standby's address for it."""
    statement = "SELECT sender_host, sender_port FROM pg_stat_wal_receiver; connect there"
    user = identifier(options.user)
    try:
        with standby.primary(connection, options, timeout=_SECONDS) as writing:
            yield CheckResult("replication-rights", statement, True, True, f"{writing.info.host}:{writing.info.port}")
            (ok,) = _one(writing, _MAY_LOG_SNAPSHOT)
            remedy = "" if ok else f"GRANT EXECUTE ON FUNCTION pg_log_standby_snapshot() TO {user}"
            detail = f"EXECUTE: {_yes_or_no(ok)}" + ("" if ok else "; starts and loads wait up to 15 s")
            yield CheckResult("permissions", "pg_log_standby_snapshot()", ok, False, detail, remedy)
    except ZcbusError as error:
        detail = str(error.facts.get("detail") or error.facts.get("expected"))
        remedy = f"GRANT pg_read_all_stats TO {user}"
        yield CheckResult("replication-rights", statement, False, True, detail, remedy, "reach-primary")


def _replication_rights(_: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    """Open a replication connection: the right may come from the role, from a provider's special role, or fail in
    pg_hba.conf."""
    statement = "IDENTIFY_SYSTEM (replication=database)"
    try:
        wire = WireConnection(options, replication=True, connect_timeout=_SECONDS, limit=_SECONDS)
        try:
            system, _timeline, position, _database = wire.query("IDENTIFY_SYSTEM")[0]
        finally:
            wire.close()
    except (ServerError, ConnectionLost) as error:
        remedy = f"ALTER ROLE {identifier(options.user)} REPLICATION"
        yield CheckResult("replication-rights", statement, False, True, str(error), remedy)
        return
    yield CheckResult("replication-rights", statement, True, True, f"systemid {system}, {position}")


def _writable(connection: Connection, _: ConnectionOptions) -> Iterator[CheckResult]:
    statement = "SHOW transaction_read_only"
    (read_only,) = _one(connection, statement)
    ok = read_only == "off"
    result = CheckResult("permissions", statement, ok, True, f"transaction_read_only = {read_only}")
    remedy = "ALTER DATABASE … SET default_transaction_read_only = off"
    yield result if ok else replace(result, remedy=remedy, advice="primary")


def _may_create(connection: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    database, schemas = _one(connection, _CREATE_RIGHTS)
    ok = bool(database or schemas)
    user = identifier(options.user)
    remedy = f"GRANT CREATE ON DATABASE {identifier(options.database)} TO {user}; GRANT CREATE ON SCHEMA … TO {user}"
    found = f"CREATE SCHEMA: {_yes_or_no(database)}; CREATE TABLE: {', '.join(schemas or []) or '—'}"
    statement = "SELECT has_database_privilege(current_database(), 'CREATE'), has_schema_privilege(oid, 'CREATE') …"
    yield CheckResult("permissions", statement, ok, True, found, "" if ok else remedy)


def _may_write(connection: Connection, options: ConnectionOptions) -> Iterator[CheckResult]:
    writable, total = _one(connection, _WRITE_RIGHTS)
    ok = writable == total
    rights = "INSERT, UPDATE, DELETE, SELECT"
    remedy = f"GRANT {rights}, TRUNCATE ON ALL TABLES IN SCHEMA … TO {identifier(options.user)}"
    statement = f"has_table_privilege(oid, '{rights}') over all tables"
    yield CheckResult("permissions", statement, ok, False, f"{rights}: {writable}/{total}", "" if ok else remedy)


def _yes_or_no(is_so: bool) -> str:
    """Yes or no in every language."""
    return "✓" if is_so else "✗"


def _one(connection: Connection, statement: str) -> tuple[Any, ...]:
    row = connection.execute(statement).fetchone()
    if row is None:
        raise psycopg.DataError(f"no row from {statement}")
    return row


_SOURCE_CHECKS: tuple[Check, ...] = (
    _version,
    _not_written_by_links,
    _readable,
    _may_publish,
    _log_settings,
    _log_retention,
    _primary,
    _replication_rights,
)
_TARGET_CHECKS: tuple[Check, ...] = (_version, _not_read_by_links, _writable, _may_create, _may_write)

_USER_TABLES = """
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
   AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
_TABLE_RIGHTS = f"""
SELECT count(*) FILTER (WHERE has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')),
       count(*) FILTER (WHERE pg_has_role(c.relowner, 'USAGE')), count(*) {_USER_TABLES}
"""
_WRITE_RIGHTS = f"""
SELECT count(*) FILTER (WHERE has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
             AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
             AND has_table_privilege(c.oid, 'DELETE')), count(*) {_USER_TABLES}
"""
_CREATE_RIGHTS = """
SELECT has_database_privilege(current_database(), 'CREATE'),
       (SELECT array_agg(nspname::text ORDER BY nspname) FROM pg_catalog.pg_namespace
         WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'CREATE'))
"""
_MAY_LOG_SNAPSHOT = "SELECT has_function_privilege('pg_catalog.pg_log_standby_snapshot()', 'EXECUTE')"
_WRITTEN_BY_LINKS = (
    f"SELECT count(*) > 0 FROM pg_catalog.pg_class WHERE relkind = 'r' AND relname = '{checkpoints.TABLE}'"
)
_READ_BY_LINKS = r"SELECT count(*) > 0 FROM pg_catalog.pg_publication WHERE pubname LIKE 'zcbus\_%'"
_SLOT_LIMITS = {
    "max_replication_slots": "SELECT current_setting('max_replication_slots')::int, (SELECT count(*)::int "
    "FROM pg_catalog.pg_replication_slots)",
    "max_wal_senders": "SELECT current_setting('max_wal_senders')::int, (SELECT count(*)::int "
    "FROM pg_catalog.pg_stat_replication)",
}
