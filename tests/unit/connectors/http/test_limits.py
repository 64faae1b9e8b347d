"""Answers that would lead elsewhere, take all memory, or reveal a secret."""

import gzip
import tracemalloc
import zlib

import pytest

from tests.support.rest_service import Asked, Reply, RestService
from tests.unit.connectors.http.asking import options, rows
from zcbus.connectors.errors import AccessDenied, TableRefused
from zcbus.connectors.http import client
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.options import OptionFault, OptionsInvalid, parse
from zcbus.kit.errors import ZcbusError

ITEMS = """
limits: {requests_per_second: 1000, attempts: 3, answer_mib: 1}
resources:
  - {name: items, path: /items, key: [id], columns: {id: bigint}}
"""
PAGED = "pages: {type: next-url, path: next}" + ITEMS.replace("columns:", "records: rows, columns:")
ONE = Reply([{"id": 1}])


def detail(error: ZcbusError) -> str:
    return str(error.facts["detail"])


@pytest.mark.parametrize(
    "place",
    [
        "x.evil.example:443/steal",  # a scheme, to the library that joins URLs
        "ftp://127.0.0.1/steal",
        "//evil.example/steal",
        "http://127.0.0.1:99999999/steal",
        "http://[::1/steal",
        "http://evil.example\\@{host}/steal",
        "http://evil.example#@{host}/steal",
    ],
)
def test_no_next_page_leads_to_another_origin(service: RestService, place: str) -> None:
    host = service.url.removeprefix("http://")
    service.answer = lambda asked: Reply(
        {"rows": [], "next": place.format(host=host) if asked.path == "/items" else ""}
    )
    asked = options(service, "auth: {type: bearer}\n" + PAGED, secret="s3cret")
    if "\\" in place:
        # What stands before the host is left out: the request goes to the address itself.
        assert rows(asked, "items") == []
        assert [one.headers["host"] for one in service.asked] == [host, host]
        return
    with pytest.raises(TableRefused, match="http-answer"):
        rows(asked, "items")
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "path", ["items", "@evil.example/x", ".evil.example", "https://a@evil.example/", "http://a:99999/"]
)
def test_a_path_is_never_a_part_of_the_host(path: str) -> None:
    with pytest.raises(OptionFault):
        read(ITEMS.replace("path: /items", f"path: '{path}'"))


def test_an_address_has_a_port_that_there_is() -> None:
    with pytest.raises(OptionsInvalid):
        parse(HttpOptions, {"url": "https://api.example.com:99999", "definition": ITEMS})


def test_a_small_answer_that_unpacks_to_a_large_one(service: RestService) -> None:
    packed = gzip.compress(b" " * (100 << 20))
    assert len(packed) < 200_000
    service.answer = lambda asked: Reply(packed, headers={"Content-Encoding": "gzip"})
    rows_of = options(service, ITEMS)
    tracemalloc.start()
    try:
        with pytest.raises(TableRefused) as caught:
            rows(rows_of, "items")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert "1 MiB" in detail(caught.value)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (gzip.compress(gzip.compress(b"[]")), "gzip, gzip"),
        (zlib.compress(b"[]"), "deflate"),
        (gzip.compress(b'[{"id": 1}]')[:-9], "gzip"),
        (b"[]", "gzip"),
    ],
    # Packed content holds the time: names of tests must be the same in every process that collects them.
    ids=["twice", "otherwise", "cut off", "not at all"],
)
def test_unrequested_content_encodings_are_refused(service: RestService, content: bytes, encoding: str) -> None:
    service.answer = lambda asked: Reply(content, headers={"Content-Encoding": encoding})
    with pytest.raises(TableRefused):
        rows(options(service, ITEMS), "items")
    assert service.asked[0].headers["accept-encoding"] == "gzip"


def test_a_packed_answer_of_several_parts(service: RestService) -> None:
    content = gzip.compress(b'[{"id": 1},') + gzip.compress(b'{"id": 2}]')
    service.answer = lambda asked: Reply(content, headers={"Content-Encoding": "gzip"})
    assert rows(options(service, ITEMS), "items") == [("1",), ("2",)]


@pytest.mark.parametrize("depth", [700, 100_000])
def test_an_answer_that_is_nested_without_end(service: RestService, depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    service.answer = lambda asked: Reply(b'[{"id": 1, "v": ' + nested + b"}]")
    document = ITEMS.replace("{id: bigint}", "{id: bigint, v: json}")
    with pytest.raises(TableRefused) as caught:
        rows(options(service, document), "items")
    assert "nested" in detail(caught.value) or "recursion" in detail(caught.value)


def test_an_answer_of_values_without_number(service: RestService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_MAX_VALUES", 1000)
    service.answer = lambda asked: Reply(b"[" + b"[]," * 1000 + b"[]]")
    with pytest.raises(TableRefused) as caught:
        rows(options(service, ITEMS), "items")
    assert "1000 values" in detail(caught.value)


def test_a_secret_that_a_service_repeats_is_not_shown(service: RestService) -> None:
    service.answer = lambda asked: Reply({"message": f"{asked.headers['authorization']} is wrong"}, 403)
    with pytest.raises(AccessDenied) as caught:
        rows(options(service, "auth: {type: bearer}" + ITEMS, secret="s3cret"), "items")
    assert "s3cret" not in str(caught.value.facts)
    assert "is wrong" in detail(caught.value)


def test_a_secret_of_several_lines_is_refused_without_being_shown() -> None:
    with pytest.raises(OptionsInvalid) as caught:
        parse(HttpOptions, {"url": "https://api.example.com", "definition": ITEMS, "secret": "s3cret\n"})
    assert "s3cret" not in str(caught.value.facts)


def test_a_value_of_the_service_makes_no_header_of_its_own(service: RestService) -> None:
    service.answer = lambda asked: Reply([{"id": 1, "x": "a\r\nX-Evil: 1"}])
    child = "  - {name: child, path: /c, headers: {X-Of: '${parent.x}'}, parent: {resource: items, values: {x: x}}, "
    document = ITEMS + child + "key: [id], columns: {id: bigint}}\n"
    with pytest.raises(TableRefused) as caught:
        rows(options(service, document), "child")
    assert "X-Of" in detail(caught.value)
    assert len(service.asked) == 1


def test_headers_of_the_interface_have_its_parameters(service: RestService) -> None:
    service.answer = lambda asked: ONE
    rows(options(service, "headers: {X-Tenant: '${tenant}'}" + ITEMS, parameters="tenant=blue"), "items")
    assert service.asked[0].headers["x-tenant"] == "blue"
    with pytest.raises(TableRefused) as caught:
        rows(options(service, "headers: {X-Tenant: '${tenant}'}" + ITEMS), "items")
    assert "tenant" in detail(caught.value)


def test_each_attempt_is_signed_again(service: RestService, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000_000.0]
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + 20))
    monkeypatch.setattr("time.time", lambda: now[0])
    replies = iter([Reply({}, 503), ONE])
    service.answer = lambda asked: next(replies)
    rows(options(service, "auth: {type: hmac}" + ITEMS, secret="s3cret"), "items")
    first, second = (one.headers for one in service.asked)
    assert int(second["x-timestamp"]) > int(first["x-timestamp"])
    assert second["x-signature"] != first["x-signature"]


@pytest.mark.parametrize("wanted", ["nan", "inf", "1e400", "-5", "Mon, 99 Foo 99999 99:99:99 GMT", "²"])
def test_a_pause_that_is_none(service: RestService, monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    service.answer = lambda asked: Reply({}, 429, {"Retry-After": wanted})
    with pytest.raises(ZcbusError) as caught:
        rows(options(service, ITEMS), "items")
    assert caught.value.code == "source-unavailable"
    assert all(0 <= seconds <= 60 for seconds in slept)


def test_pages_that_go_round_end(service: RestService) -> None:
    following = {"/items": "/b", "/b": "/c", "/c": "/b"}

    def answer(asked: Asked) -> Reply:
        return Reply({"rows": [], "next": following[asked.path]})

    service.answer = answer
    with pytest.raises(TableRefused):
        rows(options(service, PAGED), "items")
    assert len(service.asked) == 3
