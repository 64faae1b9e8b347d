"""Preview of a resource: declared columns, undeclared fields, and mismatches with their lines."""

import pytest

from tests.support.rest_service import Asked, Reply, RestService
from tests.unit.connectors.http.asking import options
from zcbus.connectors.errors import SourceUnavailable, TableMissing
from zcbus.connectors.http.preview import HttpPreviewer
from zcbus.connectors.previewing import Preview

DOCUMENT = """\
auth: {type: bearer}
pages: {type: page, param: page, size: 3}
resources:
  - name: items
    path: /items
    records: rows
    key: [id]
    columns:
      id: bigint
      price: {type: "decimal(10,2)", path: cost.net}
  - {name: others, path: /others, key: [id], columns: {id: bigint}}
"""
ROWS = [
    {"id": 1, "cost": {"net": 1.5, "gross": 2}, "at": "2026-01-02T03:04:05Z", "day": "2026-01-02", "tags": ["a"]},
    {"id": 2, "cost": {"net": 2, "gross": 2.5}, "at": "2026-01-02T03:04:05+08:00", "day": None, "ok": True, "n": None},
    {"id": 3, "cost": {"net": 3, "gross": 4}, "name of": "中" * 300, "it's": 1, "\ud800": 1, "n" * 129: 1},
]


def preview(service: RestService, document: str = DOCUMENT, table: str = "", **given: str) -> Preview:
    return HttpPreviewer().preview(options(service, document, **{"secret": "s3cret", **given}), table, 20)


def test_rows_of_the_first_page_and_undeclared_fields(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": ROWS})
    found = preview(service)
    assert (found.tables, found.table) == (("items", "others"), "items")
    assert [(one.name, one.type, one.key, one.path) for one in found.columns] == [
        ("id", "bigint", True, "id"),
        ("price", "decimal(10,2)", False, "cost.net"),
    ]
    assert found.rows == (("1", "1.50"), ("2", "2.00"), ("3", "3.00"))
    assert {one.name: (one.type, one.path) for one in found.undeclared} == {
        "cost_gross": ("double", "cost.gross"),
        "at": ("timestamptz", "at"),
        "day": ("date", "day"),
        "tags": ("json", "tags"),
        "ok": ("boolean", "ok"),
        "n": ("text", "n"),
        "name of": ("text", "['name of']"),
    }
    assert found.faults == ()
    assert len(service.asked) == 1, "one page does"


def test_a_value_of_another_type_is_shown_raw_with_the_line_of_its_column(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": [{"id": 1, "cost": {"net": "dear"}}, {"cost": {"net": "1"}}]})
    found = preview(service)
    assert found.rows == (("1", "dear"), (None, "1"))
    assert [(one.line, one.location, one.record, one.detail) for one in found.faults] == [
        (9, "resources.0.columns.id", 2, "id: no value"),
        (10, "resources.0.columns.price", 1, "price: no decimal(10,2)"),
    ]


@pytest.mark.parametrize(("status", "line"), [(401, 1), (403, 1), (404, 4)])
def test_a_refused_request_names_the_line_of_its_cause(service: RestService, status: int, line: int) -> None:
    service.answer = lambda asked: Reply({"message": f"not {asked.headers['authorization']}"}, status)
    found = preview(service)
    assert [one.line for one in found.faults] == [line]
    assert "s3cret" not in found.faults[0].detail
    assert found.rows == ()


def test_long_values_are_cut_and_a_table_is_selected_by_name(service: RestService) -> None:
    service.answer = lambda asked: Reply([{"id": number, "t": "中" * 300} for number in range(50)])
    found = preview(service, DOCUMENT.replace("{id: bigint}}", "{id: bigint, t: text}}"), "others")
    assert (found.table, len(found.rows)) == ("others", 20)
    assert found.rows[0] == ("0", "中" * 200 + "…")
    with pytest.raises(TableMissing):
        preview(service, table="no")


def test_a_child_resource_shows_rows_of_its_first_parents(service: RestService) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path == "/items":
            return Reply({"rows": ROWS})
        return Reply([{"id": 7}] if asked.path == "/items/2" else [])

    service.answer = answer
    child = "  - {name: child, path: '/items/${parent.n}', parent: {resource: items, values: {n: id}}, key: [id], "
    found = preview(service, DOCUMENT + child + "columns: {id: bigint, of: {parent: id, type: bigint}}}\n", "child")
    assert found.rows == (("7", "2"),)
    assert [one.path for one in service.asked] == ["/items", "/items/1", "/items/2"]


def test_a_preview_does_not_wait_for_a_slow_pace(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": ROWS} if asked.path == "/items" else [])
    child = "  - {name: child, path: '/items/${parent.n}', parent: {resource: items, values: {n: id}}, key: [id], "
    slow = "limits: {requests_per_second: 0.01}\n" + DOCUMENT + child + "columns: {id: bigint}}\n"
    with pytest.raises(SourceUnavailable, match="15 s"):
        preview(service, slow, "child")
    assert len(service.asked) == 1


def test_an_unavailable_service_is_an_error_not_a_mismatch(service: RestService) -> None:
    service.answer = lambda asked: Reply({}, 503)
    with pytest.raises(SourceUnavailable):
        preview(service)
