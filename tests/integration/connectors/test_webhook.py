"""Requests of many kinds to a real listener: what is refused, how slow, huge and senseless ones are bounded, rows of
what is taken, the connection test."""

import gzip
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from tests.servers.webhooks import SECRET, free_port, post, standard
from tests.support.certificate import self_signed
from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.errors import SourceNotReady, SourceUnavailable
from zcbus.connectors.registry import connector
from zcbus.connectors.webhook import listener, waiting
from zcbus.connectors.webhook.reader import WebhookReader
from zcbus.connectors.webhook.spec import WebhookOptions

pytestmark = pytest.mark.server
PATH = "shop/events"


class Reading:
    """A reader whose deliveries are acknowledged as soon as they are read."""

    def __init__(self, captured: Sequence[str] = (), **given: Any) -> None:
        """`captured`: the paths that are read; none: all."""
        signed = {"verification": "standard", "secret": SECRET, "value": "json"}
        place = {"listen": "127.0.0.1", "port": free_port(), "topics": PATH}
        self.options = WebhookOptions(**{**place, **signed, **given})
        self.reader = WebhookReader(self.options)
        self.reader.begin(captured or self.options.paths(), [], [])
        self.found: list[Delivery] = []
        self.acknowledges = True
        self._is_over = False
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def send(self, body: bytes, path: str = PATH, method: str = "POST", **headers: str) -> tuple[int, bytes]:
        """Signed, with a new id."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return post(self.options.port, f"/{path}", body, {**standard("msg_1", body), **more}, method)

    def close(self) -> None:
        self._is_over = True
        self._thread.join()
        self.reader.close()

    def _read(self) -> None:
        while not self._is_over:
            deliveries = self.reader.read(0.05)
            self.found += deliveries
            if self.acknowledges:
                self.reader.acknowledge([one.token for one in deliveries if one.token is not None])


@pytest.fixture
def reading() -> Iterator[Callable[..., Reading]]:
    made: list[Reading] = []

    def make(**given: Any) -> Reading:
        made.append(Reading(**given))
        return made[-1]

    yield make
    for one in made:
        one.close()


def raw(port: int, text: bytes, seconds: float = 10.0) -> bytes:
    """All that a listener answers to these bytes until it ends the connection."""
    with socket.create_connection(("127.0.0.1", port), seconds) as client:
        answer = b""
        try:
            client.sendall(text)
            while part := client.recv(65536):
                answer += part
        except (BrokenPipeError, ConnectionResetError):
            pass
        return answer


def test_a_row_has_id_headers_and_sender(reading: Callable[..., Reading]) -> None:
    one = reading()
    body = b'{"a": 1.50}'
    given = {"x_more": "\u00e9", "authorization": "Basic secret", "cookie": "secret"}
    assert one.send(body, f"{PATH}?a=1&b=%20", **given) == (200, b'{"stored": true}')
    (found,) = one.found
    assert (found.topic, found.key, found.value, found.more) == (PATH, b"msg_1", body, ["0", "127.0.0.1", "a=1&b=%20"])
    headers = dict(found.headers)
    assert headers["webhook-id"] == b"msg_1"
    assert headers["x-more"] == "\u00e9".encode("latin-1")
    assert not {"authorization", "cookie"} & headers.keys()


def test_a_list_is_a_row_for_each_object_and_stored_as_a_whole(reading: Callable[..., Reading]) -> None:
    one = reading(columns="id bigint", identifiers=".id")
    assert one.send(b'[{"id": 1}, {"id": 2}]')[0] == 200
    assert [(row.key, row.value, row.more[0], row.token is None) for row in one.found] == [
        (b"1", b'{"id": 1}', "0", True),
        (b"2", b'{"id": 2}', "1", False),
    ]
    assert one.send(b"[]") == (200, b'{"stored": true}')
    status, answer = one.send(b'[{"id": 3}, {"id": "x"}]')
    assert (status, json.loads(answer)) == (400, {"error": "id: no bigint"})
    assert one.send(b"[%s]" % b",".join([b"{}"] * 10_001))[0] == 413
    assert len(one.found) == 2


def test_what_is_no_row_is_refused_and_the_next_one_is_taken(reading: Callable[..., Reading]) -> None:
    one = reading(columns="id bigint, name text", keys="_key")
    for body in (b"", b"{", b"\xff", b"1", b'"x"', b"[1]", b"[" * 100_000, b'{"name": "\\ud800"}', b"NaN"):
        assert one.send(body)[0] == 400, body[:20]
    assert one.send(b'{"id": 1}')[0] == 200
    without = {name: value for name, value in standard("", b"{}").items() if name != "webhook-id"}
    assert post(one.options.port, f"/{PATH}", b"{}", without)[0] == 401
    assert len(one.found) == 1


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", PATH, {}, 405),
        ("DELETE", PATH, {}, 405),
        ("POST", "shop", {}, 404),
        ("POST", f"{PATH}/", {}, 404),
        ("POST", f"//{PATH}", {}, 404),
        ("POST", PATH, {"content_type": "application/x-www-form-urlencoded"}, 415),
        ("POST", PATH, {"content_encoding": "br"}, 415),
        ("POST", PATH, {"content_encoding": "gzip, gzip"}, 415),
        ("POST", PATH, {"content_encoding": "gzip"}, 400),
        ("POST", PATH, {"webhook_signature": "v1,AAAA"}, 401),
        ("POST", PATH, {"webhook_timestamp": "1700000000"}, 401),
        ("PUT", PATH, {}, 200),
        ("POST", PATH, {"content_type": "application/cloudevents+json; charset=utf-8"}, 200),
    ],
)
def test_requests_are_admitted_by_method_path_type_and_signature(
    reading: Callable[..., Reading], method: str, path: str, headers: dict[str, str], status: int
) -> None:
    one = reading()
    assert one.send(b"{}", path, method, **headers)[0] == status
    assert len(one.found) == (1 if status == 200 else 0)


def test_bodies_are_bounded_before_and_after_decompression(reading: Callable[..., Reading]) -> None:
    one = reading(value="text")
    assert one.send(b"x" * (1 << 20))[0] == 200
    assert one.send(b"x" * ((1 << 20) + 1))[0] == 413
    chunked = b"POST /%s HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n" % PATH.encode()
    assert raw(one.options.port, chunked + b"%x\r\n%s\r\n0\r\n\r\n" % (2 << 20, b"x" * (2 << 20))).startswith(
        b"HTTP/1.1 413"
    )
    assert one.send(gzip.compress(b"y" * (1 << 20)), content_encoding="gzip")[0] == 200
    assert one.send(gzip.compress(b"y" * (64 << 20)), content_encoding="gzip")[0] == 413
    assert one.send(gzip.compress(b"y")[:-1], content_encoding="gzip")[0] == 400
    assert one.send(gzip.compress(b"y") * 2, content_encoding="gzip")[0] == 400
    assert [len(row.value or b"") for row in one.found] == [1 << 20] * 2


def test_slow_and_senseless_senders_are_cut_off(
    reading: Callable[..., Reading], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "_HEADER_SECONDS", 0.3)
    monkeypatch.setattr(listener, "_BODY_SECONDS", 0.3)
    one = reading()
    for slow in (b"POST ", b"POST /%s HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{" % PATH.encode()):
        assert raw(one.options.port, slow) == b""
    assert raw(one.options.port, b"\x16\x03\x01 garbage\r\n\r\n").startswith(b"HTTP/1.1 400")
    huge = b"POST / HTTP/1.1\r\nx: " + b"a" * (1 << 20)
    assert raw(one.options.port, huge)[:12] in (b"", b"HTTP/1.1 431")
    assert one.send(b"{}")[0] == 200


def test_what_does_not_become_durable_in_time_is_not_taken_for_stored(reading: Callable[..., Reading]) -> None:
    one = reading(wait=1)
    one.acknowledges = False
    began = time.monotonic()
    assert one.send(b"{}")[0] == 503
    assert time.monotonic() - began >= 1
    one.acknowledges = True
    one.reader.acknowledge([row.token for row in one.found if row.token is not None])
    assert one.send(b"{}")[0] == 200


def test_more_than_may_be_in_hand_is_refused_at_once(
    reading: Callable[..., Reading], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_MAX_REQUESTS", 3)
    one = reading(wait=2)
    one.acknowledges = False
    with ThreadPoolExecutor(8) as pool:
        sent: list[Future[tuple[int, bytes]]] = [pool.submit(one.send, b"{}") for _ in range(8)]
        assert [future.result()[0] for future in sent] == [503] * 8
    assert len(one.found) == 3
    monkeypatch.setattr(waiting, "_MAX_BYTES", 10)
    one.reader.acknowledge([row.token for row in one.found if row.token is not None])
    one.acknowledges = True
    assert one.send(b'{"more": "than ten bytes"}')[0] == 503
    assert one.send(b"{}")[0] == 200


def test_a_listener_that_ends_answers_who_waits_and_frees_the_port(reading: Callable[..., Reading]) -> None:
    one = reading()
    one.acknowledges = False
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(one.send, b"{}")
        while not one.found:
            time.sleep(0.01)
        one.close()
        assert sent.result()[0] == 503
    again = reading(port=one.options.port)
    assert again.send(b"{}")[0] == 200


def test_a_path_that_is_not_read_is_repeated_by_its_sender(reading: Callable[..., Reading]) -> None:
    one = reading(captured=[PATH], topics=f"{PATH}, other")
    assert one.send(b"{}", "other")[0] == 503
    assert one.send(b"{}")[0] == 200


def test_what_is_refused_is_counted_in_the_log(
    reading: Callable[..., Reading], capsys: pytest.CaptureFixture[str]
) -> None:
    one = reading()
    assert one.send(b"{}", webhook_id="msg_forged")[0] == 401
    assert [one.send(b"{}", path)[0] for path in ("x", "y")] == [404, 404]
    assert one.send(b"{")[0] == 400
    lines = refusals(capsys)
    assert [("401" in line, SECRET in line) for line in lines] == [(True, False)]
    one.close()  # no more than a line a minute before
    assert sorted("count=2" in line for line in refusals(capsys)) == [False, True]


def refusals(capsys: pytest.CaptureFixture[str]) -> list[str]:
    text = "".join(capsys.readouterr()).replace("\x1b[0m", "").replace('": ', "=").replace(": ", "=")
    return [line for line in text.splitlines() if "requests refused" in line]


def test_senders_are_known_by_their_networks(reading: Callable[..., Reading]) -> None:
    assert reading(networks="10.0.0.0/8").send(b"{}")[0] == 403
    behind = reading(networks="10.0.0.0/8", proxies="127.0.0.1")
    assert behind.send(b"{}")[0] == 403
    assert behind.send(b"{}", x_forwarded_for="10.1.1.1, 8.8.8.8")[0] == 403
    assert behind.send(b"{}", x_forwarded_for="8.8.8.8, 10.1.1.1")[0] == 200
    assert behind.found[0].more[1] == "10.1.1.1"


def test_challenges_are_answered_and_no_rows(reading: Callable[..., Reading]) -> None:
    one = reading(secret=f"{SECRET} hub.verify_token:agreed")
    asked = b'{"type": "url_verification", "challenge": "abc"}'
    assert one.send(asked) == (200, b'{"challenge":"abc"}')
    assert post(one.options.port, f"/{PATH}", asked, {})[0] == 401
    question = f"{PATH}?hub.mode=subscribe&hub.challenge=42&hub.verify_token="
    assert one.send(b"", question + "agreed", "GET") == (200, b"42")
    assert [one.send(b"", question + token, "GET")[0] for token in ("wrong", SECRET, "")] == [403] * 3
    assert one.send(b"", PATH, "HEAD")[0] == 200
    assert one.found == []


def test_one_listener_for_a_port_and_the_connection_test_knows_its_own(reading: Callable[..., Reading]) -> None:
    options = WebhookOptions(
        listen="127.0.0.1", port=free_port(), topics="a, b", verification="a: github; b: none", secret="s",
        url="https://hooks.example.com/",
    )  # fmt: skip
    free, signed, unsigned = connector("webhook").tester().test(options, "source")
    assert (free.item, free.ok, free.detail) == ("reachable", True, "HTTP")
    assert (signed.statement, signed.ok, signed.detail) == ("POST https://hooks.example.com/a", True, "github, 1")
    assert (unsigned.ok, unsigned.blocking) == (False, False)
    with closing(WebhookReader(options)) as one:
        one.begin(["a", "b"], [], [])
        for again in (options, replace(options, topics="a, new")):
            assert all(check.ok for check in connector("webhook").tester().test(again, "source")[:2])
        with pytest.raises(SourceUnavailable, match="in use"):
            WebhookReader(options).begin(["a"], [], [])
        other = WebhookOptions(listen="127.0.0.1", port=options.port, topics="c", verification="none")
        (taken,) = connector("webhook").tester().test(other, "source")
        assert (taken.ok, taken.blocking, taken.detail) == (False, True, "Address already in use")
    assert connector("webhook").tester().test(options, "source")[0].ok


def test_a_path_that_none_can_send_to_is_not_listened_for() -> None:
    for verification in ("standard", "other: none", "github"):
        options = WebhookOptions(listen="127.0.0.1", port=free_port(), topics="a", verification=verification)
        with pytest.raises(SourceNotReady):
            WebhookReader(options).begin(["a"], [], [])
        *_, path = connector("webhook").tester().test(options, "source")
        assert (path.ok, path.blocking) == (False, True)


def test_tls(reading: Callable[..., Reading]) -> None:
    certificate, key = (part.decode() for part in self_signed())
    one = reading(certificate=certificate, privatekey=key.replace("\n", ""))
    context = ssl.create_default_context(cadata=certificate)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    with (
        socket.create_connection(("127.0.0.1", one.options.port), 10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as client,
    ):
        client.sendall(b"HEAD /%s HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n" % PATH.encode())
        assert client.recv(100).startswith(b"HTTP/1.1 200")
    port, checked, _ = connector("webhook").tester().test(one.options, "source")
    assert port.ok
    assert (checked.ok, checked.blocking) == (False, False)  # it ends tomorrow
    elsewhere = WebhookOptions(**{**one.options.document(), **one.options.secrets(), "url": "https://example.org"})  # type: ignore[arg-type]
    assert "not for example.org" in connector("webhook").tester().test(elsewhere, "source")[1].detail
    wrong = WebhookOptions(
        listen="127.0.0.1", port=free_port(), topics="a", verification="none", certificate=certificate
    )
    checks = connector("webhook").tester().test(wrong, "source")
    assert (checks[1].ok, checks[1].blocking) == (False, True)
    with pytest.raises(SourceNotReady):
        WebhookReader(wrong).begin(["a"], [], [])
