"""NATS as a target: events arrive in the order of each key through kills, and say what the rows are."""

from typing import cast

import orjson
import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link
from tests.integration.engine.sent_orders import Row, change_through_kills, folded, kill_server, kill_service, sent
from tests.servers.nats import NatsServer

pytestmark = [pytest.mark.server, pytest.mark.wide]
PAIRS = [("postgres_server", "own_nats_server")]


def held(link: Link, columns: str) -> list[Row]:
    events = []
    for _, headers, value in cast("NatsServer", link.target).messages(link.target_database):
        events.append(orjson.loads(value))
        assert headers["Nats-Msg-Id"] == events[-1]["id"]
    return folded(events, columns)


def test_events_through_kills_of_the_service_and_the_server(link: Link) -> None:
    server = cast("NatsServer", link.target)
    server.create(link.target_database)
    start(link, 600)
    link.wait_for_state("orders", "incremental-running")
    change_through_kills(link, kill_service(link), kill_server(server), kill_service(link))
    wait_until_same(link, sent, held)
