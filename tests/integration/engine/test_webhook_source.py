"""Webhooks as a source: what was answered with 2xx is in the target, through kills of workers, once where it has a key;
what is not signed is in no table."""

from collections import Counter
from typing import cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.webhooks import WebhookSender, post, standard

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("own_webhook_sender", "postgres_server")]
EACH = 500
"""Requests around each kill."""
COLUMNS = {"value": "json", "columns": "id bigint, name text"}


def values(first: int, count: int) -> list[bytes]:
    return [b'{"id": %d, "name": "\xe5\x90\x8d"}' % number for number in range(first, first + count)]


def held(link: Link) -> Counter[str]:
    rows = link.target.rows("SELECT _key FROM orders", link.target_database)
    return Counter(str(row[0]) for row in rows)


@pytest.fixture
def sender(link: Link) -> WebhookSender:
    """Of the path of the one table."""
    return cast("WebhookSender", link.source)


def prepare(link: Link, sender: WebhookSender, keys: str) -> str:
    """Start the workers; returns the path of the table."""
    sender.given = {**COLUMNS, "keys": keys}
    path = f"{link.source_database}/events"
    source = TableRef(schema_name="topics", table=path)
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": source}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    return path


@pytest.mark.parametrize("keys", ["_key", pytest.param("", marks=pytest.mark.wide)])
def test_what_was_answered_is_in_the_target_through_kills(link: Link, sender: WebhookSender, keys: str) -> None:
    path = prepare(link, sender, keys)
    count = interrupted = 0
    for number, killed in enumerate((link.publisher, link.subscriber, link.publisher), 1):
        ids = [f"msg_{number}_{one}" for one in range(EACH)]
        answered = len(sender.stored)
        sender.put(path, values(EACH * number, EACH), ids)
        count += EACH
        wait_until(lambda before=answered: len(sender.stored) > before + 20, 30, link.describe)  # type: ignore[misc]
        killed.kill()
        interrupted += not sender.is_settled([path])
        stored = set(sender.stored)
        killed.start()
        wait_until(lambda wanted=stored: wanted <= held(link).keys(), 60, link.describe)  # type: ignore[misc]
    wait_until(lambda: sender.is_settled([path]), 60, link.describe)
    assert len(sender.stored) == count
    assert interrupted
    wait_until(lambda: set(sender.stored) == held(link).keys(), 60, link.describe)
    if keys:
        assert set(held(link).values()) == {1}


def test_what_is_not_signed_or_no_row_is_stored_nowhere_and_stops_nothing(link: Link, sender: WebhookSender) -> None:
    path = prepare(link, sender, "_key")
    (body,) = values(1, 1)
    forged = {**standard("msg_forged", body), "webhook-id": "msg_other"}
    assert post(sender.port, f"/{path}", body, forged)[0] == 401
    assert post(sender.port, f"/{path}", body, standard("msg_old", body, moment=1_700_000_000))[0] == 401
    assert post(sender.port, f"/{path}", b"{", standard("msg_broken", b"{"))[0] == 400
    wrong = b'{"id": "no number"}'
    status, answer = post(sender.port, f"/{path}", wrong, standard("msg_wrong", wrong))
    assert (status, b"id: no bigint" in answer) == (400, True)
    assert post(sender.port, f"/{path}", body, standard("msg_good", body)) == (200, b'{"stored": true}')
    wait_until(lambda: held(link) == Counter({"msg_good": 1}), 30, link.describe)
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"
