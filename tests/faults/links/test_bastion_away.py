"""Links in both directions through a bastion that is killed: they continue once it is back."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.servers.base import Server
from tests.servers.sftp import SftpServer
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import wait_until
from zcbus.cli.http import ApiError

pytestmark = [pytest.mark.server, pytest.mark.fault, pytest.mark.wide, pytest.mark.timeout(400)]
ROUTE = "site"
SECONDS = 60


@pytest.fixture
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("bastion") / "var") as running:
        yield running


def settings(bastion: SftpServer, **changes: Any) -> dict[str, Any]:
    place = {"kind": "ssh", "host": bastion.host, "port": bastion.port, "user": bastion.user, "key": bastion.key}
    return {"name": ROUTE, **place, **changes}


def confirmed_key(platform: Platform, bastion: SftpServer, server: Server) -> str:
    """As the page does: test, compare what the bastion shows, confirm."""
    options: Any = server.options(server.fresh_database("seen"))
    target = {"targetHost": options.host, "targetPort": options.port}
    answers: list[Any] = []

    def tried() -> bool:
        with platform.api() as api:
            try:
                answers.append(api.call("system/network-route/test", settings(bastion, **target)))
            except ApiError:
                return False  # no agent is there yet
        return True

    wait_until(tried, SECONDS, "an agent tries the route", pause=0.5)
    shown: str = answers[0]["shownKey"]
    assert (answers[0]["ok"], shown) == (False, bastion.host_key)
    with platform.api() as api:
        passed = api.call("system/network-route/test", settings(bastion, hostKey=shown, **target))
    assert [(one["item"], one["ok"]) for one in passed["checks"]] == [
        ("reach", True),
        ("host-key", True),
        ("sign-in", True),
        ("target", True),
    ]
    return shown


def test_links_of_both_directions_outlive_their_bastion(
    platform: Platform, bastion: SftpServer, postgres_server: Server, mariadb_server: Server
) -> None:
    key = confirmed_key(platform, bastion, postgres_server)
    with platform.api() as api:
        api.call("system/network-route/add", settings(bastion, hostKey=key))
    pairs = {"there": (postgres_server, mariadb_server), "back": (mariadb_server, postgres_server)}
    databases: dict[str, tuple[str, str]] = {}
    for name, (source, target) in pairs.items():
        databases[name] = source.fresh_database(name), target.fresh_database(name)
        source.execute("CREATE TABLE t (id int PRIMARY KEY, v varchar(20))", databases[name][0])
        source.execute("INSERT INTO t VALUES (1, 'before')", databases[name][0])
        platform.apply(
            {
                "link": name,
                "source": {**side(source, databases[name][0]), "route": ROUTE},
                "target": {**side(target, databases[name][1]), "route": ROUTE},
                "tables": ["public.*"] if source is postgres_server else [f"{databases[name][0]}.*"],
                "clean": "drop",
            }
        )
        platform.wait(name, "incremental-running")

    bastion.stop()
    try:
        for name, (source, _) in pairs.items():
            source.execute("INSERT INTO t VALUES (2, 'meanwhile')", databases[name][0])
        # What is shown says why nothing flows, and by which route.
        wait_until(lambda: all(names_route(platform, name) for name in pairs), SECONDS, "the links name their route")
    finally:
        bastion.start()
    for name, (source, target) in pairs.items():
        source.execute("INSERT INTO t VALUES (3, 'after')", databases[name][0])
        wait_until(
            lambda target=target, name=name: values(target, databases[name][1]) == ["before", "meanwhile", "after"],  # type: ignore[misc]
            SECONDS,
            f"the rows of {name} arrive",
        )
    with platform.api() as api:
        (route,) = api.call("system/network-route/page", {})["records"]
        with pytest.raises(ApiError, match="there"):
            api.call("system/network-route/delete", {"id": route["id"]})


def names_route(platform: Platform, link: str) -> bool:
    return f"route {ROUTE}" in str(platform.status(link))


def values(server: Server, database: str) -> list[str]:
    return [str(row[0]) for row in server.rows("SELECT v FROM t ORDER BY id", database)]
