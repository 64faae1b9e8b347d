"""Every kind that offers a route takes it for all that it connects to, over a real bastion and real proxies."""

import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.servers.base import Server
from tests.servers.proxies import HttpProxy, SocksProxy
from tests.servers.s3 import S3Server
from tests.servers.sftp import SftpServer
from tests.support.processes import wait_until
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import RouteMissing, SourceUnavailable
from zcbus.connectors.options import ROUTE, KindOptions, parse
from zcbus.connectors.registry import KINDS, connector
from zcbus.connectors.roles import Side
from zcbus.engine.connections import options_of
from zcbus.kit.network import Route
from zcbus.protocol.base import Connection, NetworkRoute

pytestmark = pytest.mark.server


def database(server: Any) -> KindOptions:
    options: KindOptions = server.options(server.fresh_database("route"))
    return options


def folder(server: Any) -> KindOptions:
    name = server.fresh_database("route")
    server.put(name, "t.csv", ["id"], [("1",)])
    options: KindOptions = server.options(name)
    tester = connector(options.kind).tester()
    # A file that was just written may still grow.
    wait_until(lambda: all(one.ok for one in tester.test(options, "source")), 20, "the file is at rest")
    return options


def in_bucket(server: S3Server) -> KindOptions:
    account = {"accesskey": "WRITERKEY", "secretkey": "writerkey"}
    return DeltaOptions(folder="lake/route", bucket=server.bucket, endpoint=server.endpoint, tenant="t", **account)


CASES: dict[str, tuple[str, Callable[[Any], KindOptions], Side]] = {
    "postgresql": ("postgres_server", database, "source"),
    "mysql": ("mariadb_server", database, "source"),
    "oceanbase": ("oceanbase_server", database, "source"),
    "redis": ("valkey_server", database, "target"),
    "sftp": ("sftp_folders", folder, "source"),
    "ftp": ("ftp_folders", folder, "source"),
    "s3": ("s3_folders", folder, "source"),
    "webfiles": ("web_folders", folder, "source"),
    "hdfs": ("hdfs_folders", folder, "source"),
    "nats": ("nats_server", lambda server: server.options("route"), "source"),
    "mqtt": ("mosquitto_server", lambda server: server.options("route"), "source"),
    "http": ("datasette_server", database, "source"),
    "delta": ("s3_server", in_bucket, "target"),
    "clickhouse": ("clickhouse_server", database, "target"),
    "mongodb": ("mongodb_server", database, "target"),
}
SHARES_A_CLIENT = {
    "opensearch": "clickhouse",
    "tidb": "oceanbase",
    "doris": "oceanbase",
    "snowflake": "http",
    "bigquery": "http",
}
"""A server that takes half a minute to start, and those that cannot be had."""


def test_no_kind_with_routes_is_left_out() -> None:
    routed = {kind for kind, entry in KINDS.items() if any(one.name == ROUTE for one in entry.spec.options)}
    assert routed == CASES.keys() | SHARES_A_CLIENT.keys()


def test_kafka_offers_none() -> None:
    """Brokers advertise addresses of their own, which the library would connect to directly."""
    assert all(one.name != ROUTE for one in KINDS["kafka"].spec.options)


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest) -> tuple[str, KindOptions, Side]:
    fixture, make, side = CASES[request.param]
    return request.param, make(request.getfixturevalue(fixture)), side


def by(options: Any, way: Route) -> Any:
    return replace(options, route=way.name, via=way)


@pytest.mark.wide
def test_the_connection_test_passes_by_each_route(
    case: tuple[str, KindOptions, Side], bastion: SftpServer, socks_proxy: SocksProxy, http_proxy: HttpProxy
) -> None:
    kind, options, side = case
    direct = connector(kind).tester().test(options, side)
    for way in (bastion.route(), socks_proxy.route(), http_proxy.route()):
        checks = connector(kind).tester().test(by(options, way), side)
        assert [(one.item, one.ok) for one in checks] == [(one.item, one.ok) for one in direct], way


def test_nothing_is_connected_to_past_the_route(case: tuple[str, KindOptions, Side]) -> None:
    kind, options, side = case
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        dead = Route("dead", "socks5", "127.0.0.1", nobody.getsockname()[1])
        (first, *_) = connector(kind).tester().test(by(options, dead), side)
    assert not first.ok
    assert "route dead" in first.detail


def test_a_connection_that_was_meant_for_a_route_is_never_made_without(case: tuple[str, KindOptions, Side]) -> None:
    kind, options, _ = case
    document = {name: value for name, value in options.document().items() if value is not None}
    connection = Connection.model_validate(
        {"kind": kind, "options": {**document, "route": "gone"}, "secrets": options.secrets()}
    )
    with pytest.raises(RouteMissing):
        options_of(connection)
    alone = parse(KINDS[kind].spec.model, {**options.document(), **options.secrets(), "route": "gone"})
    with pytest.raises(RouteMissing):
        _ = alone.way


def test_the_route_of_a_task_reaches_the_connector(bastion: SftpServer, postgres_server: Server) -> None:
    way = bastion.route()
    message = NetworkRoute.model_validate(
        {
            "name": way.name,
            "kind": way.kind,
            "host": way.host,
            "port": way.port,
            "user": way.user,
            "key": way.key,
            "host_key": way.host_key,
        }
    )
    assert way.key not in repr(message)
    options = postgres_server.options(postgres_server.fresh_database("task"))
    sent = Connection.model_validate(
        {
            "kind": "postgresql",
            "options": {**options.document(), "route": way.name},
            "secrets": options.secrets(),
            "route": message,
        }
    )
    received = Connection.model_validate_json(sent.model_dump_json())
    assert options_of(received).way == way


@pytest.mark.parametrize("server", ["postgres_server", "mariadb_server"])
def test_certificates_are_checked_against_the_servers_name(
    server: str, bastion: SftpServer, request: pytest.FixtureRequest
) -> None:
    """By a route the library is connected to this host: what counts is the server's name."""
    options: Any = request.getfixturevalue(server).options("postgres" if server == "postgres_server" else "mysql")
    strict = replace(by(options, bastion.route()), tls="verify-full")
    *_, last = connector(options.kind).tester().test(strict, "source")
    assert not last.ok  # the server has no certificate that anyone trusts, and none is taken for it


def test_a_bastion_that_is_away_is_worth_another_try(bastion: SftpServer, postgres_server: Server) -> None:
    options = by(postgres_server.options(postgres_server.fresh_database("away")), bastion.route())
    kind = connector("postgresql")
    with kind.discoverer(options) as discoverer:
        assert discoverer.schemas() == ["public"]
    bastion.stop()
    try:
        with pytest.raises(SourceUnavailable, match="route bastion"), kind.discoverer(options) as discoverer:
            discoverer.schemas()
    finally:
        bastion.start()
    with kind.discoverer(options) as discoverer:
        assert discoverer.schemas() == ["public"]
