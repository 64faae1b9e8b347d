"""Requests: who signs in and how, limits that are kept, what is never followed."""

import base64
import hashlib
import hmac
import time
from email.utils import formatdate

import pytest

from tests.support.rest_service import Asked, Reply, RestService
from tests.unit.connectors.http.asking import options, rows
from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TableRefused
from zcbus.connectors.http import client

ITEMS = """
limits: {requests_per_second: 1000, attempts: 3}
resources:
  - {name: items, path: /items, key: [id], columns: {id: bigint}}
"""
ONE = Reply([{"id": 1}])


def signed_in(auth: str) -> str:
    return f"auth: {auth}{ITEMS}"


@pytest.mark.parametrize(
    ("auth", "name", "value"),
    [
        ("{type: key, header: X-Key, prefix: 'K '}", "x-key", "K s3cret"),
        ("{type: bearer}", "authorization", "Bearer s3cret"),
        ("{type: basic}", "authorization", "Basic " + base64.b64encode(b"me:s3cret").decode()),
    ],
)
def test_a_secret_in_a_header(service: RestService, auth: str, name: str, value: str) -> None:
    service.answer = lambda asked: ONE
    assert rows(options(service, signed_in(auth), account="me", secret="s3cret"), "items") == [("1",)]
    assert service.asked[0].headers[name] == value


def test_a_secret_in_the_query_is_in_no_error(service: RestService) -> None:
    service.answer = lambda asked: Reply({"error": "no"}, 400)
    with pytest.raises(TableRefused) as caught:
        rows(options(service, signed_in("{type: key, query: token}"), secret="s3cret"), "items")
    assert service.asked[0].query == {"token": "s3cret"}
    assert "s3cret" not in str(caught.value.facts)


def test_oauth2_asks_again_when_a_token_ends_or_is_refused(service: RestService) -> None:
    tokens = iter(["t1", "t2", "t3"])
    good = {"t2"}

    def answer(asked: Asked) -> Reply:
        if asked.path == "/token":
            return Reply({"access_token": next(tokens), "expires_in": 3600, "refresh_token": "r2"})
        return ONE if asked.headers["authorization"].removeprefix("Bearer ") in good else Reply({}, 401)

    service.answer = answer
    auth = "{type: oauth2, token_url: /token, grant: refresh-token, scope: read}"
    asked = options(service, signed_in(auth), account="id", secret="s&t", refresh="r1")
    assert rows(asked, "items") == [("1",)]
    assert service.paths() == ["/token", "/items", "/token", "/items"]
    first, second = (one.body.decode() for one in service.asked[::2])
    assert first == "grant_type=refresh_token&refresh_token=r1&scope=read&client_id=id&client_secret=s%26t"
    assert "refresh_token=r2" in second
    good.clear()
    service.answer = lambda asked: answer(asked) if asked.path != "/token" else Reply({"access_token": "t9"})
    with pytest.raises(AccessDenied):
        rows(asked, "items")


def test_a_short_token_is_renewed_before_it_ends(service: RestService) -> None:
    paged = "pages: {type: cursor, param: at, path: next}" + ITEMS.replace("columns:", "records: rows, columns:")
    auth = "auth: {type: token, url: /token, body: {app: '${account}', key: '${secret}'}, token: t, seconds: s}\n"

    def answer(asked: Asked) -> Reply:
        if asked.path == "/token":
            return Reply({"t": f"token{len(service.asked)}", "s": 20})
        return Reply({"rows": [{"id": len(service.asked)}], "next": "" if "at" in asked.query else "2"})

    service.answer = answer
    assert len(rows(options(service, auth + paged, account="a", secret="b"), "items")) == 2
    assert service.asked[0].json == {"app": "a", "key": "b"}
    assert service.paths() == ["/token", "/items", "/token", "/items?at=2"]
    assert service.asked[3].headers["authorization"] == "Bearer token3"


def test_hmac(service: RestService) -> None:
    service.answer = lambda asked: ONE
    auth = "{type: hmac, header: X-Sign, account_header: X-Id, signed: [method, path, time, account], encoding: base64}"
    given = signed_in(auth).replace("path: /items", "path: '/items?a=1', query: {b: 'x y'}")
    rows(options(service, given, account="me", secret="s3cret"), "items")
    (asked,) = service.asked
    text = f"GET\n{asked.target}\n{asked.headers['x-timestamp']}\nme"
    wanted = base64.b64encode(hmac.new(b"s3cret", text.encode(), hashlib.sha256).digest()).decode()
    assert asked.target == "/items?a=1&b=x+y"
    assert (asked.headers["x-sign"], asked.headers["x-id"]) == (wanted, "me")


def test_retry_after_is_waited_for(service: RestService, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(client.time, "sleep", slept.append)
    replies = iter(
        [
            Reply({}, 429, {"Retry-After": "7"}),
            Reply({}, 403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 20)}),
            ONE,
        ]
    )
    service.answer = lambda asked: next(replies)
    assert rows(options(service, ITEMS), "items") == [("1",)]
    waits = [seconds for seconds in slept if seconds > 0.1]
    assert waits[0] == 7
    assert 15 < waits[1] <= 20


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply({}, 503, {"Retry-After": formatdate(time.time() + 3600, usegmt=True)}), SourceUnavailable),
        (Reply({}, 403), AccessDenied),
        (Reply({}, 404), TableRefused),
        (Reply(b"<html>"), TableRefused),
        (Reply(None, 302, {"Location": "http://169.254.169.254/?token=s3cret"}), TableRefused),
        (Reply([{"id": "x"}]), TableRefused),
        (Reply([{}]), TableRefused),
    ],
)
def test_invalid_answers_stop_the_table_without_showing_secrets(
    service: RestService, reply: Reply, error: type[Exception]
) -> None:
    service.answer = lambda asked: reply
    with pytest.raises(error) as caught:
        rows(options(service, ITEMS), "items")
    assert len(service.asked) == 1
    assert "s3cret" not in str(caught.value)


def test_servers_that_fail_are_asked_again(service: RestService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.time, "sleep", lambda seconds: None)
    service.answer = lambda asked: Reply({}, 502)
    with pytest.raises(SourceUnavailable):
        rows(options(service, ITEMS), "items")
    assert len(service.asked) == 3


def test_the_next_page_is_never_on_another_host(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": [], "next": "http://localhost:1/steal"})
    paged = "pages: {type: next-url, path: next}" + ITEMS.replace("columns:", "records: rows, columns:")
    with pytest.raises(TableRefused, match="http-answer") as caught:
        rows(options(service, paged, secret="s3cret"), "items")
    assert "another host" in str(caught.value.facts["detail"])


def test_an_answer_is_no_larger_than_agreed(service: RestService) -> None:
    service.answer = lambda asked: Reply(b'["' + b"x" * (1 << 20) + b'"]')
    with pytest.raises(TableRefused) as caught:
        rows(options(service, ITEMS.replace("attempts: 3", "answer_mib: 1")), "items")
    assert "1 MiB" in str(caught.value.facts["detail"])


def test_an_answer_may_say_that_it_is_none(service: RestService) -> None:
    service.answer = lambda asked: Reply({"code": 99, "msg": "not yours"})
    given = "expect: {path: code, value: '0', message: msg}" + ITEMS
    with pytest.raises(TableRefused) as caught:
        rows(options(service, given), "items")
    assert "not yours" in str(caught.value.facts["detail"])
