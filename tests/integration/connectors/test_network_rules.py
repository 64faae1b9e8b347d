"""Connection tests and connectors go nowhere that the network rules do not allow."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.servers.base import Server
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Connector
from zcbus.kit.gateway_settings import parse_networks
from zcbus.kit.network import NetworkRules, use

pytestmark = pytest.mark.server


@pytest.fixture(params=["postgres_server", "mariadb_server"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    found: Server = request.getfixturevalue(request.param)
    yield found
    use(NetworkRules())


@pytest.mark.parametrize(
    "rules", [NetworkRules(loopback=False), NetworkRules(allow=parse_networks("10.0.0.0/8"))], ids=["loopback", "allow"]
)
def test_servers_outside_the_allowed_networks_are_not_reached(server: Server, rules: NetworkRules) -> None:
    options, kind = server.options(), connector(server.kind)
    assert kind.tester().test(options, "target")[0].ok
    use(rules)
    reachable = kind.tester().test(options, "target")[0]
    assert not reachable.ok
    assert "not allowed" in reachable.detail
    with pytest.raises(SourceUnavailable) as refused:
        kind.query_runner(options)
    assert "not allowed" in str(refused.value.facts["detail"])
    with pytest.raises(SourceUnavailable):
        list_schemas(kind, options)


def list_schemas(kind: Connector, options: ConnectionOptions) -> list[str]:
    with kind.discoverer(options) as discoverer:
        return list(discoverer.schemas())


def test_a_library_that_connects_by_itself_is_refused_too() -> None:
    """In a process of its own, because an audit hook on sockets cannot be removed."""
    script = (
        "import socket, threading\n"
        "from zcbus.kit.network import *\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "use(NetworkRules(loopback=False))\n"
        "watch_sockets(main_thread=False)\n"
        "socket.create_connection(server.getsockname()).close()\n"
        "refused = []\n"
        "def connect():\n"
        "    try:\n"
        "        socket.create_connection(server.getsockname())\n"
        "    except AddressRefused:\n"
        "        refused.append(True)\n"
        "thread = threading.Thread(target=connect)\n"
        "thread.start()\n"
        "thread.join()\n"
        "assert refused\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
