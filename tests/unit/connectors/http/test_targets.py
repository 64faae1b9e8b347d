"""What a document says about targets, and the requests that follow from it."""

import re
from typing import Any

import orjson
import pytest

from tests.support.rest_service import Reply, RestService
from tests.unit.connectors.http.asking import options
from zcbus.connectors.emitting.events import Event, Operation
from zcbus.connectors.http.check import HttpTester
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.preview import HttpPreviewer
from zcbus.connectors.http.target.document import RowsPart
from zcbus.connectors.http.target.emitter import HttpEmitter, schema_of
from zcbus.connectors.http.target.requests import NotExpressible, Outgoing, outgoing
from zcbus.connectors.http.target.signing import SecretInvalid, secrets_of, signed
from zcbus.connectors.options import OptionFault
from zcbus.model.schema import TableName

WEBHOOK = "targets:\n  - {name: '*', type: webhook, path: /events}\n"
ROWS = """\
limits: {requests_per_second: 1000}
targets:
  - name: orders
    type: rows
    key: [id]
    columns:
      id: bigint
      price: {type: double, path: data.price}
      note: {type: text, path: data.note}
      seen: {type: timestamptz, unit: seconds}
      made: timestamptz
      extra: json
    put: {method: PUT, path: "/orders/${row.id}"}
    patch: {method: PATCH, path: "/orders/${row.id}"}
    delete: {method: POST, path: "/gone", content: key, under: order, body: {operation: delete}}
    idempotency: Idempotency-Key
"""
NEW = {
    "id": "7",
    "price": "1.5",
    "note": "ü",
    "seen": "1970-01-01 00:01:40+00",
    "made": "2026-01-31 12:00:00.5+00",
    "extra": '{"b": [1, 1.10]}',
}


def request(operation: Operation, key: dict[str, Any], row: dict[str, Any], definition: str = ROWS) -> Outgoing:
    target = read(definition).targets[0]
    assert isinstance(target, RowsPart)
    return outgoing(target, [Event(schema_of(target, "http"), operation, key, row, "id-1")], {}, [])


@pytest.mark.parametrize(
    ("old", "new", "line", "place", "problem"),
    [
        ("key: [id]", "key: [no]", 3, "targets.0", "value"),
        ("key: [id]", "keys: [id]", 5, "targets.0.keys", "unknown"),
        ("type: rows", "type: files", 3, "targets.0", "choice"),
        ("{method: PUT", "{method: GET", 13, "targets.0.put.method", "choice"),
        ("/orders/${row.id}", "/orders/${row.nr}", 3, "targets.0", "value"),
        ("path: data.note", "path: 'data[0]'", 3, "targets.0", "value"),
        ("content: key", "content: key, batch: 0", 15, "targets.0.delete.batch", "value"),
        ("name: orders", "name: '*'", 3, "targets.0", "value"),
        ("idempotency: Idempotency-Key", "idempotency: Host", 16, "targets.0.idempotency", "value"),
        (ROWS, "limits: {attempts: 1}\n", 1, "", "value"),
    ],
)
def test_faults_are_reported_with_their_line(old: str, new: str, line: int, place: str, problem: str) -> None:
    assert old in ROWS
    with pytest.raises(OptionFault) as caught:
        read(ROWS.replace(old, new))
    facts = caught.value.facts
    assert (facts["line"], facts["problem"]) == (line, problem), facts
    assert str(facts["place"]).startswith(place)


def test_a_row_becomes_a_request() -> None:
    found = request(Operation.INSERT, {"id": "7"}, NEW)
    assert (found.message.method, found.place) == ("PUT", "/orders/7")
    assert found.message.headers == {"Idempotency-Key": "id-1"}
    assert orjson.loads(found.message.content) == {
        "id": 7,
        "data": {"price": 1.5, "note": "ü"},
        "seen": 100,
        "made": "2026-01-31T12:00:00.5Z",
        "extra": {"b": [1, 1.1]},
    }
    gone = request(Operation.DELETE, {"id": "7"}, {})
    assert (gone.message.method, gone.place) == ("POST", "/gone")
    assert orjson.loads(gone.message.content) == {"operation": "delete", "order": {"id": 7}}
    part = request(Operation.UPDATE, {"id": "7"}, {"note": None})
    assert (part.message.method, orjson.loads(part.message.content)) == ("PATCH", {"data": {"note": None}})


def test_what_the_document_does_not_say_is_refused() -> None:
    without = re.sub(r"    (patch|delete): .*\n", "", ROWS)
    with pytest.raises(NotExpressible, match=r"patch.*did not send extra, id, made"):
        request(Operation.UPDATE, {"id": "7"}, {"note": "x"}, without)
    with pytest.raises(NotExpressible, match="delete"):
        request(Operation.DELETE, {"id": "7"}, {}, without)
    with pytest.raises(NotExpressible, match="patch"):
        request(Operation.UPDATE, {"id": "7"}, {"id": "8"})


def test_a_value_is_one_part_of_the_path() -> None:
    definition = ROWS.replace("id: bigint", "id: text")
    assert request(Operation.INSERT, {"id": "a/../b?c"}, {**NEW, "id": "a/../b?c"}, definition).place == (
        "/orders/a%2F..%2Fb%3Fc"
    )
    with pytest.raises(NotExpressible, match="id: no value"):
        request(Operation.INSERT, {"id": ""}, {**NEW, "id": ""}, definition)


def test_signatures_are_those_of_the_standard() -> None:
    """The example of its description."""
    secrets = secrets_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    content = b'{"test": 2432232314}'
    headers = signed("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, content, secrets)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    both = signed("a", 1, b"", [*secrets, b"next"])["webhook-signature"]
    assert [one[:3] for one in both.split(" ")] == ["v1,", "v1,"]
    with pytest.raises(SecretInvalid):
        secrets_of("whsec_no base64")


def test_a_status_of_the_document_decides(service: RestService) -> None:
    definition = ROWS.replace("type: rows", "type: rows\n    success: [200, 409]")
    emitter = HttpEmitter(options(service, definition))
    table = emitter.declared(TableName("http", "orders"))
    assert table is not None
    sent = [Event(table, Operation.INSERT, {"id": str(n)}, {**NEW, "id": str(n)}, str(n)) for n in range(3)]
    statuses = {"/orders/0": 200, "/orders/1": 409, "/orders/2": 201}
    service.answer = lambda asked: Reply(status=statuses[asked.path])
    assert emitter.send(sent) == ["", "", "201: not in success"]
    emitter.close()


def test_rows_in_batches_and_answers_that_cannot_be_read(service: RestService) -> None:
    put = "put: {method: POST, path: /orders, batch: 2, under: rows, body: {mode: replace}}"
    definition = ROWS.replace('put: {method: PUT, path: "/orders/${row.id}"}', put).replace(
        "type: rows", "type: rows\n    in_flight: 1"
    )
    emitter = HttpEmitter(options(service, definition))
    table = emitter.declared(TableName("http", "orders"))
    assert table is not None
    sent = [Event(table, Operation.LOAD, {"id": str(n)}, {"id": str(n)}, str(n)) for n in range(5)]
    sent[1] = Event(table, Operation.DELETE, {"id": "1"}, {}, "1")
    service.answer = lambda _: Reply(b"\x00", headers={"Content-Encoding": "br"})
    assert emitter.send(sent) == [""] * 5
    bodies = [one.json for one in service.asked]
    assert bodies[0] == {"mode": "replace", "rows": [{"id": 0}]}
    assert bodies[1]["order"] == {"id": 1}
    assert [[row["id"] for row in one["rows"]] for one in bodies[2:]] == [[2, 3], [4]]
    assert len({one.headers["idempotency-key"] for one in service.asked}) == 4
    emitter.close()


def test_the_connection_test_of_a_target_writes_nothing(service: RestService) -> None:
    def tested(definition: str, **given: Any) -> dict[str, bool]:
        return {one.statement: one.ok for one in HttpTester().test(options(service, definition, **given), "target")}

    assert list(tested(WEBHOOK).values()) == [True, True, False], "no signing secret"
    assert all(tested(WEBHOOK, signing="secret").values())
    assert service.asked == []
    assert not all(tested("resources: [{name: a, path: /a, key: [i], columns: {i: text}}]").values())
    service.answer = lambda asked: Reply(status=200 if asked.headers.get("authorization") else 401)
    probe = "probe: {method: GET, path: /ping}\n"
    assert tested("auth: {type: bearer}\n" + probe + ROWS, secret="s")["GET /ping"]
    assert not tested(probe + ROWS)["GET /ping"]
    assert service.paths() == ["/ping", "/ping"]


def test_the_form_shows_the_requests(service: RestService) -> None:
    found = HttpPreviewer().preview(options(service, ROWS), "", 20)
    assert [row[:2] for row in found.rows] == [
        ("insert", "PUT /orders/1"),
        ("update", "PATCH /orders/1"),
        ("delete", "POST /gone"),
    ]
    event = HttpPreviewer().preview(options(service, WEBHOOK, signing="secret"), "*", 20)
    assert orjson.loads(event.rows[0][3] or "")["operation"] == "insert"
    assert "webhook-signature: v1," in (event.rows[0][2] or "")
    assert service.asked == []
