"""Attempts to reach receivers end in bounded time, and quotations of servers reveal no secrets."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from zcbus.control.features.notification import transport
from zcbus.control.features.notification.errors import ReceiverUnreachableError
from zcbus.control.features.notification.redaction import redacted
from zcbus.control.features.notification.transport import MAX_ADDRESSES, Reach, post
from zcbus.control.features.notification.ways import SENDERS, Notice, Receiver, Way
from zcbus.kit.network import NetworkRules

REACH = Reach(NetworkRules())
NOW = datetime(2026, 1, 1, tzinfo=UTC)
NOTICE = Notice("1", "1", "raised", "lag", 1, "shop", "title", "content", 1, NOW, "en")


@pytest.fixture
def dripping(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server that never stops greeting."""
    monkeypatch.setattr(transport, "WHOLE_SECONDS", 0.2)
    closed = threading.Event()

    def drip(client: socket.socket) -> None:
        with suppress(OSError), client:
            while not closed.wait(0.02):
                client.sendall(b"220-one moment\r\n")

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=drip, args=(server.accept()[0],)).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        closed.set()
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_a_server_that_never_ends_its_answer_is_cut_off(dripping: int, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.create_connection

    def connect_slowly(address: tuple[str, int], timeout: float) -> socket.socket:
        # Longer than everything after it may take: the time limit must not be over before there is a connection.
        time.sleep(2 * transport.WHOLE_SECONDS)
        return connect(address, timeout)

    monkeypatch.setattr(socket, "create_connection", connect_slowly)
    mail = {"host": "127.0.0.1", "port": dripping, "security": "none", "user": ""}
    settings = {**mail, "sender": "a@example.com", "recipients": ["b@example.com"]}
    with pytest.raises(ReceiverUnreachableError):
        SENDERS[Way.MAIL](NOTICE, Receiver(settings, {}), REACH, NOW)
    with pytest.raises(ReceiverUnreachableError):
        post(REACH, f"http://127.0.0.1:{dripping}/", b"{}", {})


def test_only_some_addresses_of_a_name_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse(address: tuple[str, int], _timeout: float) -> socket.socket:
        tried.append(address[0])
        raise TimeoutError("timed out")

    monkeypatch.setattr(transport, "addresses", lambda *_: [f"192.0.2.{number}" for number in range(50)])
    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(ReceiverUnreachableError) as caught:
        REACH.connect("many.example", 443)
    assert len(tried) == MAX_ADDRESSES
    assert caught.value.facts == {"address": "many.example:443", "detail": "timed out"}


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Cannot POST /services/T0/hidden-1?key=k-9-secret", "Cannot POST ***"),
        ("no hook https://h.example/services/T0/hidden-1?key=k-9-secret", "no hook ***"),
        ("&quot;key=k-9-secret&amp;x&quot; is unknown", "&quot;key=***&amp;x&quot; is unknown"),
        ("room hidden-1 and word s1", "room *** and word ***"),
        ("the services are down", "the *** are down"),
        ("invalid payload", "invalid payload"),
    ],
)
def test_secrets_are_left_out_of_answers(answer: str, shown: str) -> None:
    secrets = {"url": "https://h.example/services/T0/hidden-1?key=k-9-secret", "secret": "s1", "password": ""}
    assert redacted(answer, secrets.items()) == shown
