"""What a server answers, as errors that say whether to try again."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from zcbus.connectors.errors import AccessDenied, DatabaseFailed, TargetFull, TargetUnavailable
from zcbus.connectors.opensearch.check import OpenSearchTester
from zcbus.connectors.opensearch.connection import OpenSearchConnection
from zcbus.connectors.opensearch.documents import Part, bulk
from zcbus.connectors.opensearch.indexes import Indexes, scroll
from zcbus.connectors.opensearch.spec import OpenSearchOptions
from zcbus.connectors.opensearch.state import StateIndex
from zcbus.kit.certificates import make_authority, make_server_certificate
from zcbus.model.schema import TableName

FULL = {"type": "cluster_block_exception", "reason": "disk usage exceeded flood-stage watermark"}


class Answers:
    """A server that gives each request the same answer, and what it was asked."""

    def __init__(self) -> None:
        self.status, self.body = 200, "{}"
        self.headers: dict[str, str] = {}
        self.asked: list[tuple[str, str]] = []
        self.server: Any = None
        self.make: Callable[[Any], object] | None = None
        """In place of a fixed answer: makes one of the request's body."""

    def give(self, status: int, body: object, **headers: str) -> None:
        self.status, self.body, self.headers = status, body if isinstance(body, str) else json.dumps(body), headers


@pytest.fixture
def answers() -> Iterator[tuple[Answers, OpenSearchOptions]]:
    given = Answers()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            asked = self.rfile.read(int(self.headers.get("content-length", 0)))
            given.asked.append((self.path, self.headers.get("authorization", "")))
            if given.make is not None:
                given.give(200, given.make(json.loads(asked or b"{}")))
            self.send_response(given.status)
            for name, value in {**given.headers, "content-length": str(len(given.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(given.body.encode())

        def log_message(self, *_given: Any) -> None:
            """Quiet."""

    for method in ("GET", "POST", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.answer)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    given.server = server
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield given, OpenSearchOptions(host="127.0.0.1", port=server.server_port, user="u", password="p")
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (401, "Unauthorized", AccessDenied),
        (403, {"error": {"type": "security_exception", "reason": "no permissions"}}, AccessDenied),
        (403, {"error": FULL}, TargetFull),
        (429, {"error": {"type": "circuit_breaking_exception", "reason": "too large"}}, TargetUnavailable),
        (503, "<html>", TargetUnavailable),
        (400, {"error": {"type": "x", "reason": "y", "caused_by": {"reason": "z"}}}, DatabaseFailed),
    ],
)
def test_error_answers_map_to_errors(
    answers: tuple[Answers, OpenSearchOptions], status: int, body: object, error: type[Exception]
) -> None:
    given, options = answers
    given.give(status, body)
    with OpenSearchConnection(options) as connection, pytest.raises(error):
        connection.ask("GET", "/")


def test_a_certificate_that_is_not_trusted(answers: tuple[Answers, OpenSearchOptions], tmp_path: Path) -> None:
    given, options = answers
    now = datetime.now(UTC)
    pair = make_server_certificate(make_authority(now, "unknown"), now, ["127.0.0.1"])
    (tmp_path / "both").write_bytes(pair.key + pair.certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "both")
    given.server.socket = context.wrap_socket(given.server.socket, server_side=True)
    with OpenSearchConnection(replace(options, tls="verify-full")) as connection, pytest.raises(AccessDenied):
        connection.ask("GET", "/")
    with OpenSearchConnection(replace(options, tls="require")) as connection:
        assert connection.ask("GET", "/") == {}


def test_a_redirection_is_not_followed(answers: tuple[Answers, OpenSearchOptions]) -> None:
    given, options = answers
    given.give(302, "", location="/elsewhere")
    with OpenSearchConnection(options) as connection, pytest.raises(DatabaseFailed):
        connection.ask("GET", "/")
    assert given.asked == [("/", "Basic dTpw")]


def test_a_document_that_cannot_be_read_is_not_missing(answers: tuple[Answers, OpenSearchOptions]) -> None:
    """As behind a restart, while an index is being opened: an update of a missing row would be passed over."""
    given, options = answers
    error = {"type": "no_shard_available_action_exception", "reason": "No shard available"}
    given.give(200, {"docs": [{"_id": "1", "error": error}]})
    with OpenSearchConnection(options) as connection, pytest.raises(TargetUnavailable):
        connection.documents("i", ["1"])


@pytest.mark.parametrize(
    ("status", "reason", "error"),
    [
        (409, {}, None),
        (404, {}, DatabaseFailed),
        (503, {}, TargetUnavailable),
        (403, FULL, TargetUnavailable),
        (403, {"type": "security_exception", "reason": "no permissions"}, AccessDenied),
        (400, {}, DatabaseFailed),
    ],
)
def test_parts_of_a_bulk_request(
    answers: tuple[Answers, OpenSearchOptions], status: int, reason: dict[str, str], error: type[Exception] | None
) -> None:
    """A newer document stays, one that is gone is gone; all else stops the transaction."""
    given, options = answers
    items = [{"delete": {"status": 404}}, {"index": {"status": status, "error": reason}}]
    given.give(200, {"errors": True, "items": items})
    with OpenSearchConnection(options) as connection:
        part = Part("t", '"1"\n{}')
        if error is None:
            StateIndex(connection).carry_out("t", part, 1)
        else:
            with pytest.raises(error):
                StateIndex(connection).carry_out("t", part, 1)


def test_documents_carry_the_number_of_their_transaction() -> None:
    assert bulk(Part("t", '"a\\""\n{"v":1}\n"b"\nnull'), 7).decode().splitlines() == [
        '{"index":{"_id":"a\\"","version":7,"version_type":"external_gte"}}',
        '{"v":1}',
        '{"delete":{"_id":"b","version":7,"version_type":"external_gte"}}',
    ]


def test_versions_that_are_too_old(answers: tuple[Answers, OpenSearchOptions]) -> None:
    given, options = answers
    for stated, ok in (
        ({"distribution": "opensearch", "number": "2.8.0"}, True),
        ({"distribution": "opensearch", "number": "1.3.1"}, False),
        ({"number": "8.17.0"}, True),
        ({"number": "6.8.0"}, False),
    ):
        given.give(200, {"version": stated})
        version = next(one for one in OpenSearchTester().test(options, "target") if one.item == "version")
        assert version.ok is ok, stated
    for other in ({"version": "3.3.0"}, ["version"]):
        given.give(200, other)
        assert OpenSearchTester().test(options, "target")[-1].advice == "newer-version", "some other server"
    given.give(401, "")
    assert [(one.item, one.ok) for one in OpenSearchTester().test(options, "target")] == [
        ("reachable", True),
        ("login", False),
    ]


@pytest.mark.parametrize("host", ["a:b:c", "a..b"])
def test_hosts_that_are_none(host: str) -> None:
    def ask() -> None:
        with OpenSearchConnection(OpenSearchOptions(host=host)) as connection:
            connection.ask("GET", "/")

    with pytest.raises(TargetUnavailable):
        ask()


def test_documents_that_are_too_many_for_one_answer(
    answers: tuple[Answers, OpenSearchOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    given, options = answers
    monkeypatch.setattr("zcbus.connectors.opensearch.connection._MAX_ANSWER_BYTES", 1000)

    def answer(asked: dict[str, list[str]]) -> object:
        return {"docs": [{"_id": one, "found": True, "_source": {"v": "x" * 400}} for one in asked["ids"]]}

    given.make = answer
    with OpenSearchConnection(options) as connection:
        assert list(connection.documents("i", list("abcde"))) == list("abcde")
        monkeypatch.setattr("zcbus.connectors.opensearch.connection._MAX_ANSWER_BYTES", 300)
        with pytest.raises(DatabaseFailed, match="answer-too-long"):
            connection.documents("i", ["a"])


def test_a_search_that_lost_a_part_is_none(answers: tuple[Answers, OpenSearchOptions]) -> None:
    """Keys that are not reported would be missing rows."""
    given, options = answers
    hits = {"hits": [{"_id": "1"}]}
    given.make = lambda _: {"_shards": {"failed": 0}, "_scroll_id": "s", "hits": hits}
    with OpenSearchConnection(options) as connection:
        found = scroll(connection, "i", {}, 1)
        assert next(found) == [{"_id": "1"}]
        given.make = lambda _: {"_shards": {"failed": 1}, "_scroll_id": "s", "hits": {"hits": []}}
        with pytest.raises(TargetUnavailable):
            next(found)


def test_a_path_has_no_more_names_than_a_server_takes(answers: tuple[Answers, OpenSearchOptions]) -> None:
    given, options = answers
    names = [TableName("opensearch", f"{number}{'表' * 60}") for number in range(50)]
    with OpenSearchConnection(options) as connection:
        assert Indexes(connection).schemas(names) == {}
    asked = [unquote(path).split("/")[1].split(",") for path, _ in given.asked]
    assert max(len(path) for path, _ in given.asked) < 4000
    assert [one for some in asked for one in some] == [name.table for name in names]
