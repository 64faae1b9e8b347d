"""A server that errs, or means harm, neither makes a part look whole nor leads elsewhere."""

import gzip
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.stores.web import WebAccess, WebStore
from zcbus.connectors.stores.web.listing import listing

_OLD = {"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Date": "Fri, 02 Jan 2026 00:00:00 GMT"}
_FRESH = {"Last-Modified": "Fri, 02 Jan 2026 00:00:00 GMT", "Date": "Fri, 02 Jan 2026 00:00:00 GMT"}
Answer = tuple[int, dict[str, str], bytes]


class _Server:
    """Answers by method: `answers["HEAD"]`, `answers["GET"]`."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[str], Answer]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self._stores: list[WebStore] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.asked.append((f"{self.command} {self.path}", headers))
                status, said, body = server.answers[self.command](headers.get("range", ""))
                self.send_response_only(status)
                for name, value in said.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            def do_HEAD(self) -> None:
                self.do_GET()

            def log_message(self, *_: Any) -> None: ...

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._http.server_port}"

    def says(self, body: bytes, **said: str) -> None:
        """One content, whole, with the same headers for all."""
        headers = {name.replace("_", "-"): value for name, value in said.items()}
        self.answers["GET"] = lambda _: (200, {"Content-Length": str(len(body)), **_OLD, **headers}, body)
        self.answers["HEAD"] = self.answers["GET"]

    def store(self, most: int = 1 << 20, hosts: tuple[str, ...] = (), growing: bool = False) -> WebStore:
        access = WebAccess("webfiles", self.origin, hosts, "u", "Bearer the-secret", "verify-full")
        lines = listing("lines", access, "a.csv")
        self._stores.append(WebStore(access, lines, lambda _: True, most, growing=growing, seconds=2.0))
        return self._stores[-1]

    def close(self) -> None:
        for store in self._stores:
            store.close()
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server()
    yield made
    made.close()


def content(store: WebStore) -> bytes:
    """Of the one file, listed and opened."""
    store.files()
    with store.open("a.csv") as file:
        return file.read()


def test_a_content_that_was_cut_is_not_a_short_file(server: _Server) -> None:
    server.says(b"id\n1\n", Content_Length="10")
    with pytest.raises(SourceUnavailable):
        content(server.store())
    # HTTP/1.0 without a length: the end of the connection is all that ends it.
    server.answers["GET"] = server.answers["HEAD"] = lambda _: (200, _OLD, b"id\n1\n")
    with pytest.raises(OSError, match="cut would look whole"):
        content(server.store())


def test_packed_contents_are_whole_and_small(server: _Server) -> None:
    packed = gzip.compress(b"id\n" + b"1\n" * 10_000)
    server.says(packed, Content_Encoding="gzip")
    store = server.store()
    assert content(store) == b"id\n" + b"1\n" * 10_000
    assert store.files()[0].size == 20_003
    for bad, reason in ((packed[:-4], "ends early"), (b"none", "no gzip"), (gzip.compress(bytes(9 << 20)), "MiB")):
        server.says(bad, Content_Encoding="gzip")
        with pytest.raises(OSError, match=reason):
            content(server.store())


def test_a_part_is_the_one_that_was_asked_for(server: _Server) -> None:
    body = b"0123456789"
    server.says(body)
    whole = server.answers["GET"]

    def odd(asked: str) -> Answer:
        if not asked:
            return whole("")
        return 206, {**_OLD, "Content-Range": "bytes 5-9/10", "Content-Length": "5"}, body[5:]

    server.answers["GET"] = odd
    assert content(server.store()) == body
    server.answers["GET"] = lambda _: (206, {**_OLD, "Content-Range": "bytes 0-9/10", "Content-Length": "99"}, body * 9)
    with pytest.raises(SourceUnavailable):
        content(server.store())
    server.answers["GET"] = lambda _: (206, {**_OLD, "Content-Range": "bytes 0-9/99", "Content-Length": "10"}, body)
    with pytest.raises(FileNotFoundError):
        content(server.store())


def test_what_is_never_found_as_it_is_listed_is_compared(server: _Server) -> None:
    server.says(b"id\n1\n")
    listed = server.answers["GET"]
    server.answers["HEAD"] = lambda _: (200, {**listed("")[1], "Content-Length": "77"}, b"")
    store = server.store()
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            content(store)
    assert content(store) == b"id\n1\n"
    assert store.files()[0].size == 5


def test_a_length_of_nothing_is_not_believed(server: _Server) -> None:
    server.says(b"id\n1\n")
    server.answers["HEAD"] = lambda _: (200, {**_OLD, "Content-Length": "0"}, b"")
    assert content(server.store()) == b"id\n1\n"
    server.answers["GET"] = lambda _: (416, {**_OLD, "Content-Range": "bytes */0", "Content-Length": "0"}, b"")
    assert content(server.store()) == b""


def test_what_is_said_to_be_there_and_is_not_is_removed(server: _Server) -> None:
    server.says(b"id\n1\n")
    server.answers["GET"] = lambda _: (404, {"Content-Length": "0"}, b"")
    store = server.store()
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            content(store)
    assert store.files() == []


def test_the_network_rules_hold_behind_redirects(server: _Server) -> None:
    """In a process of its own, because an audit hook on sockets cannot be removed."""
    port = server.origin.rpartition(":")[2]
    server.answers["HEAD"] = lambda _: (302, {"Location": f"http://127.0.0.2:{port}/a.csv", "Content-Length": "0"}, b"")
    script = (
        "from zcbus.connectors.errors import SourceUnavailable\n"
        "from zcbus.connectors.stores.web import WebAccess, WebClient\n"
        "from zcbus.kit.gateway_settings import parse_networks\n"
        "from zcbus.kit.network import *\n"
        "use(NetworkRules(deny=parse_networks('127.0.0.2')))\n"
        "watch_sockets(main_thread=True)\n"
        f"access = WebAccess('webfiles', '{server.origin}', ('127.0.0.2:{port}',), '', '', 'verify-full')\n"
        "try:\n"
        f"    WebClient(access, 5).about('{server.origin}/a.csv')\n"
        "except SourceUnavailable as error:\n"
        "    print(error.facts['detail'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, timeout=60, capture_output=True, text=True)
    assert "not allowed by the network rules" in done.stdout
    assert len(server.asked) == 1


def test_within_a_second_nothing_counts_as_unchanged(server: _Server) -> None:
    server.says(b"id\n1\n", ETag='"a"', **{name.replace("-", "_"): value for name, value in _FRESH.items()})
    store = server.store()
    store.files()
    (file,) = store.files()
    assert not any("if-none-match" in headers or "if-modified-since" in headers for _, headers in server.asked)
    assert file.changed_at > store.now()
    server.says(b"id\n1\n", ETag='"a"')
    store.files()
    store.files()
    assert server.asked[-1][1]["if-none-match"] == '"a"'


def test_what_is_compared_changes_with_its_content_alone(server: _Server) -> None:
    def restless(_: str) -> Answer:
        count = str(len(server.asked))
        return 200, {"ETag": f'"{count}"', "Content-Length": "5"}, b"id\n1\n"

    server.answers = {"GET": restless, "HEAD": restless}
    store = server.store()
    assert store.files() == store.files()
    assert content(store) == b"id\n1\n"
    server.says(b"id\n2\n")
    assert content(store) == b"id\n2\n"


@pytest.mark.parametrize("target", ["https://127.0.0.1/x", "file:///etc/passwd", "//other/x", "http://u@127.0.0.1/x"])
def test_nothing_leads_elsewhere(server: _Server, target: str) -> None:
    server.answers["HEAD"] = lambda _: (302, {"Location": target, "Content-Length": "0"}, b"")
    with pytest.raises(SourceUnavailable, match="not an allowed host"):
        server.store().files()


def test_what_servers_refuse(server: _Server) -> None:
    server.says(b"")
    for status, error in ((401, AccessDenied), (403, AccessDenied), (500, SourceUnavailable), (429, SourceUnavailable)):
        server.answers["GET"] = server.answers["HEAD"] = lambda _, it=status: (it, {"Content-Length": "0"}, b"")
        with pytest.raises(error) as refused:
            server.store().files()
        assert "the-secret" not in str(refused.value)
    server.answers["GET"] = server.answers["HEAD"] = lambda _: (404, {"Content-Length": "0"}, b"")
    assert server.store().files() == []


def test_what_is_kept_on_disk_is_limited(server: _Server) -> None:
    server.says(b"x" * 700_000, Content_Encoding="identity")
    server.answers["HEAD"] = lambda _: (200, {"Content-Length": "700000"}, b"")
    access = WebAccess("webfiles", server.origin, (), "", "", "verify-full")
    store = WebStore(access, listing("lines", access, "a.csv\nb.csv\nc.csv"), lambda _: True, 1 << 20, seconds=2.0)
    server.answers["GET"] = lambda _: (200, {"Content-Length": "700000"}, b"x" * 700_000)
    assert len(store.files()) == 3
    assert len(store._spools) == 1
    with store.open("a.csv") as first, store.open("b.csv") as second:
        assert first.read() == second.read() == b"x" * 700_000
    store.close()
