"""MQTT as a target: events arrive in the order of each key through kills of the service that sends them."""

from typing import cast

import orjson
import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link
from tests.integration.engine.sent_orders import Row, change_through_kills, folded, kill_service, sent
from tests.servers.mosquitto import MosquittoServer

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mosquitto_server")]


def test_events_through_kills_of_the_service(link: Link) -> None:
    server = cast("MosquittoServer", link.target)
    with server.subscribed(f"{link.target_database}/#") as found:
        start(link, 600)
        link.wait_for_state("orders", "incremental-running")
        change_through_kills(link, kill_service(link), kill_service(link))

        def held(_: Link, columns: str) -> list[Row]:
            return folded((orjson.loads(one.payload) for one in list(found)), columns)

        wait_until_same(link, sent, held)
