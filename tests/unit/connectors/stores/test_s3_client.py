"""The client goes nowhere but to its endpoint, and takes no more than it asked for."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from zcbus.connectors.errors import AccessDenied, SourceFull, SourceNotReady, SourceUnavailable
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores.s3 import S3Access, S3Client, S3Refusal, S3Store

Answer = tuple[int, dict[str, str], bytes]
_ERROR = "<Error><Code>{}</Code><Message>no</Message></Error>"


class _Server:
    """Answers each request with the next of `answers`, and the last again and again."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, dict[str, str]]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                status, headers, body = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.endpoint = f"http://127.0.0.1:{self._http.server_port}"

    def access(self) -> S3Access:
        return access_of(S3Options(endpoint=self.endpoint, bucket="b", accesskey="k", secretkey="s"))

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server()
    yield made
    made.close()


@contextmanager
def client(server: _Server) -> Iterator[S3Client]:
    made = S3Client(server.access(), 10.0)
    yield made
    made.close()


def files(server: _Server) -> list[str]:
    store = S3Store(server.access(), "")
    try:
        return [file.name for file in store.files()]
    finally:
        store.close()


def test_a_redirection_is_not_followed(server: _Server) -> None:
    inner = _Server()
    inner.answers = [(200, {}, b"what only this host may read")]
    server.answers = [(307, {"Location": f"{inner.endpoint}/latest/meta-data"}, b"")]
    with client(server) as one, pytest.raises(S3Refusal) as refused:
        one.part("a.csv", 0, 100, "")
    assert refused.value.status == 307
    with pytest.raises(SourceNotReady):
        files(server)
    inner.close()
    assert inner.asked == []


def test_network_rules_hold_for_each_connection() -> None:
    """In a process of its own, because an audit hook on sockets cannot be removed."""
    script = (
        "from zcbus.kit.network import *\n"
        "from zcbus.connectors.errors import SourceUnavailable\n"
        "from zcbus.connectors.s3.access import access_of\n"
        "from zcbus.connectors.s3.spec import S3Options\n"
        "from zcbus.connectors.stores.s3 import S3Client\n"
        "use(NetworkRules(loopback=False))\n"
        "watch_sockets(main_thread=True)\n"
        "options = S3Options(endpoint='http://localhost:9', bucket='b', accesskey='k', secretkey='s')\n"
        "try:\n"
        "    S3Client(access_of(options)).page('', '', 1)\n"
        "except SourceUnavailable as error:\n"
        "    print(error.facts['detail'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, timeout=60, capture_output=True, text=True)
    assert "not allowed by the network rules" in done.stdout


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_busy_server_is_asked_again(server: _Server, status: int) -> None:
    server.answers = [(status, {}, b""), (200, {}, b"<ListBucketResult></ListBucketResult>")]
    assert files(server) == []
    server.answers = [(status, {}, b"")]
    with pytest.raises(SourceUnavailable):
        files(server)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("AccessDenied", AccessDenied),
        ("InvalidAccessKeyId", AccessDenied),
        ("RequestTimeTooSkewed", SourceUnavailable),
        ("QuotaExceeded", SourceFull),
    ],
)
def test_error_codes_map_to_errors(server: _Server, code: str, error: type[Exception]) -> None:
    server.answers = [(403, {}, _ERROR.format(code).encode())]
    with pytest.raises(error):
        files(server)


def test_the_right_region_is_reported(server: _Server) -> None:
    document = _ERROR.format("AuthorizationHeaderMalformed").replace("</Error>", "<Region>eu-west-3</Region></Error>")
    server.answers = [(400, {}, document.encode())]
    with pytest.raises(SourceNotReady) as refused:
        files(server)
    assert refused.value.facts["setting"] == "region"
    assert refused.value.facts["expected"] == "eu-west-3"


@pytest.mark.parametrize(
    "answer",
    [
        (200, {}, b"0123456789"),
        (206, {"Content-Range": "bytes 0-9/10"}, b"0123456789"),
        (206, {"Content-Range": "bytes 1-9/10"}, b"123456789 and more"),
        (206, {"Content-Range": "bytes 1-9/*"}, b"123456789"),
        (206, {"Content-Range": "bytes 1-9/10"}, b""),
    ],
)
def test_another_part_than_the_one_asked_for(server: _Server, answer: Answer) -> None:
    server.answers = [answer]
    with client(server) as one, pytest.raises(SourceUnavailable):
        one.part("a.csv", 1, 9, "")


def test_a_list_without_an_end(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.connectors.stores.s3.store.MAX_PAGES", 5)
    body = (
        "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>"
        "<Contents><Key>a</Key><Size>1</Size><LastModified>2026-11-25T16:01:22Z</LastModified></Contents>"
        "</ListBucketResult>"
    )
    server.answers = [(200, {}, body.encode())]
    with pytest.raises(SourceUnavailable):
        files(server)
    assert len(server.asked) == 5


@pytest.mark.parametrize(
    ("values", "url"),
    [
        ({}, "https://shop.s3.eu-west-3.amazonaws.com/a"),
        ({"region": "cn-north-1"}, "https://shop.s3.cn-north-1.amazonaws.com.cn/a"),
        ({"bucket": "my.shop"}, "https://s3.eu-west-3.amazonaws.com/my.shop/a"),
        ({"addressing": "path"}, "https://s3.eu-west-3.amazonaws.com/shop/a"),
        ({"endpoint": "http://Minio:9000/"}, "http://minio:9000/shop/a"),
        ({"endpoint": "https://oss-cn-beijing.example", "addressing": "host"}, "https://shop.oss-cn-beijing.example/a"),
        ({"endpoint": "https://[::1]:9000"}, "https://[::1]:9000/shop/a"),
    ],
)
def test_where_a_bucket_is(values: dict[str, str], url: str) -> None:
    access = access_of(S3Options(**{"bucket": "shop", "region": "eu-west-3", **values}))  # type: ignore[arg-type]
    assert access.url + access.path("a") == url
