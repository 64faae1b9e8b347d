"""The connection test, check by check."""

import re
from dataclasses import replace

from redis.exceptions import NoPermissionError, ResponseError

from zcbus.connectors.reachability import reachable
from zcbus.connectors.redis.connection import Command, RedisConnection
from zcbus.connectors.redis.keys import OWN, RowKeys
from zcbus.connectors.redis.spec import SCHEMA, RedisOptions
from zcbus.connectors.redis.stream_check import check_streams
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_SECONDS = 4.0
_OLDEST = {"source": (7, 0), "target": (6, 2)}
_COMMANDS = (
    "ping select watch unwatch multi exec discard get set del unlink hset hmget hgetall hvals hkeys hdel "
    "expire scan info"
)
_SAMPLE = "zcbus_connection_test"
Info = dict[str, str]


class RedisTester:
    """See roles.Tester."""

    def test(self, options: RedisOptions, side: Side) -> list[CheckResult]:
        checks = _checks if side == "target" else _source_checks
        remedy = f"bind *; port {options.port}"
        results = [reachable(options.host, options.port, options.way, _SECONDS, remedy)]
        if not results[0].ok:
            return results
        login = f"AUTH {options.user or 'default'}; SELECT {options.database}"
        try:
            with RedisConnection(options, _SECONDS, side) as connection:
                results.append(_logged_in(connection, login))
                if results[-1].ok:
                    results += checks(connection, options)
        except ZcbusError as error:
            failed = CheckResult("login", login, False, True, str(error.facts.get("detail", error)), "", "account")
            results.append(failed)
        return results


def _logged_in(connection: RedisConnection, statement: str) -> CheckResult:
    """A server with a password accepts connections without one, and rejects their commands."""
    (reply,), failed = connection.try_each([("PING",)])
    if failed is not None and not isinstance(failed, NoPermissionError):
        return CheckResult("login", statement, False, True, str(reply), "", "account")
    options = connection.options
    return CheckResult("login", statement, True, True, f"{options.user or 'default'} @ {options.database}")


def _checks(connection: RedisConnection, options: RedisOptions) -> list[CheckResult]:
    info, found = _server_checks(connection, "target")
    if not all(one.ok for one in found):
        return found
    return [
        *found,
        _primary(info),
        _rights(connection, options),
        _eviction(info, options),
        _persistence(connection, info),
    ]


def _source_checks(connection: RedisConnection, options: RedisOptions) -> list[CheckResult]:
    info, found = _server_checks(connection, "source")
    if not all(one.ok for one in found):
        return found
    primary = _primary(info)
    streams = check_streams(options, _SECONDS) if primary.ok else []
    return [*found, primary, *streams, _persistence(connection, info)]


def _server_checks(connection: RedisConnection, side: Side) -> tuple[Info, list[CheckResult]]:
    """What the server says of itself, and whether it is new enough and no cluster."""
    (reply,), failed = connection.try_each([("INFO", "everything")])
    if failed is not None:
        remedy = f"ACL SETUSER {connection.options.user or 'default'} +info"
        return {}, [CheckResult("version", "INFO", False, True, str(failed), remedy, "access")]
    info = _info(reply.decode())
    return info, [_version(info, _OLDEST[side]), _cluster(info)]


def _info(text: str) -> Info:
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _version(info: Info, least: tuple[int, int]) -> CheckResult:
    """A source needs the counters that streams have since 7.0, a target atomic commands."""
    text = info.get("valkey_version") or info.get("redis_version", "")
    number = tuple(int(part) for part in re.findall(r"\d+", info.get("redis_version", ""))[:2])
    oldest = ".".join(map(str, least))
    result = CheckResult("version", "INFO server", number >= least, True, f"{info.get('server_name', 'redis')} {text}")
    return result if result.ok else replace(result, remedy=f"Redis {oldest}", advice="newer-version")


def _cluster(info: Info) -> CheckResult:
    """A transaction cannot reach over the nodes of a cluster, and rows and checkpoints belong to one."""
    on = info.get("cluster_enabled") == "1"
    statement = "INFO cluster"
    if not on:
        return CheckResult("cluster", statement, True, True, "cluster_enabled:0")
    return CheckResult("cluster", statement, False, True, "cluster_enabled:1", "cluster-enabled no", "single-server")


def _primary(info: Info) -> CheckResult:
    role = info.get("role", "")
    result = CheckResult("primary", "INFO replication", role == "master", True, f"role:{role}")
    if result.ok:
        return result
    return replace(result, remedy=f"{info.get('master_host', '')}:{info.get('master_port', '')}", advice="primary")


def _rights(connection: RedisConnection, options: RedisOptions) -> CheckResult:
    """Queue a session's commands on keys of the platform and discard them: the server rejects forbidden ones at
    once."""
    column = Column("id", DataType(Kind.TEXT, "text"))
    keys = RowKeys(options, TableSchema(TableName(SCHEMA, _SAMPLE), options.kind, (column,), ("id",)))
    (row,), own = keys.of_keys([("1",)]), f"{OWN}:test"
    tried: list[Command] = [("WATCH", row, own), ("UNWATCH",), ("INFO", "server"), ("SCAN", 0, "COUNT", 1), ("MULTI",)]
    for name in (row, own):
        tried += [
            ("GET", name),
            ("SET", name, ""),
            ("DEL", name),
            ("UNLINK", name),
            ("HSET", name, "f", "v"),
            ("HMGET", name, "f"),
            ("HGETALL", name),
            ("HVALS", name),
            ("HKEYS", name),
            ("HDEL", name, "f"),
            ("EXPIRE", name, 1),
        ]
    replies, _ = connection.try_each([*tried, ("DISCARD",), ("MULTI",), ("EXEC",)])
    refused = list(dict.fromkeys(str(reply) for reply in replies if isinstance(reply, ResponseError)))
    pattern = options.template.replace("{table}", "*").replace("{key}", "*")
    commands = " ".join(f"+{name}" for name in _COMMANDS.split())
    remedy = f"ACL SETUSER {options.user or 'default'} ~{OWN}:* ~{pattern} {commands}"
    detail = "; ".join(refused) or f"{row.decode()}, {own}"
    return CheckResult("permissions", "MULTI … DISCARD", not refused, True, detail, remedy if refused else "")


def _eviction(info: Info, options: RedisOptions) -> CheckResult:
    policy = info.get("maxmemory_policy", "noeviction")
    limited = info.get("maxmemory", "0") != "0"
    # A policy that evicts keys without expiry evicts rows and checkpoints; other policies remove only rows with an
    # expiry, too early.
    everything, some = policy.startswith("allkeys"), policy.startswith("volatile") and options.ttl > 0
    ok = not (limited and (everything or some))
    detail = f"maxmemory:{info.get('maxmemory', '0')}, maxmemory_policy:{policy}"
    remedy = "" if ok else "maxmemory-policy noeviction"
    return CheckResult("eviction", "INFO memory", ok, everything, detail, remedy, "" if ok else "configuration")


def _persistence(connection: RedisConnection, info: Info) -> CheckResult:
    """A server that loses its last second loses rows and positions alike; the loss is always noticed."""
    statement, remedy = "CONFIG GET appendfsync", "appendonly yes; appendfsync always"
    if info.get("aof_enabled") != "1":
        return CheckResult("persistence", "INFO persistence", False, False, "aof_enabled:0", remedy, "configuration")
    (reply,), failed = connection.try_each([("CONFIG", "GET", "appendfsync")])
    policy = str(failed) if failed is not None else b" ".join(reply).decode()
    ok = policy.endswith("always")
    detail = f"aof_enabled:1, {policy}"
    return CheckResult("persistence", statement, ok, False, detail, "" if ok else remedy, "" if ok else "configuration")
