"""RabbitMQ as a target: events arrive in the order of each key through kills, in a queue and in a stream."""

from typing import Any, cast

import orjson
import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.sent_orders import Row, change_through_kills, folded, kill_server, kill_service, sent
from tests.servers.rabbitmq import RabbitServer

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "rabbit_server")]


@pytest.mark.parametrize("kind", ["quorum", "stream"])
def test_events_through_kills_of_the_service_and_the_broker(link: Link, kind: str) -> None:
    server, queue = cast("RabbitServer", link.target), f"{link.target_database}.orders"
    server.create(queue, kind)
    start(link, 600)
    link.wait_for_state("orders", "incremental-running")
    change_through_kills(link, kill_service(link), kill_server(server), kill_service(link))
    wait_until(lambda: kind != "stream" or server.serves(queue), 30, link.describe)
    taken: list[dict[str, Any]] = []

    def held(_: Link, columns: str) -> list[Row]:
        if kind == "stream":
            return folded((orjson.loads(body) for body in server.bodies(queue)), columns)
        for properties, body in server.take(queue):
            taken.append(orjson.loads(body))
            assert properties.message_id == taken[-1]["id"]
        return folded(taken, columns)

    wait_until_same(link, sent, held)
