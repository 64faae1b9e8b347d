"""A look at the first records: what is declared, what there is besides, and where the document is wrong."""

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
    {"id": 3, "cost": {"net": 3, "gross": 4}, "name of": "中" * 300},
]


def preview(service: RestService, document: str = DOCUMENT, table: str = "", **given: str) -> Preview:
    return HttpPreviewer().preview(options(service, document, **{"secret": "s3cret", **given}), table, 20)


def test_the_first_rows_and_what_there_is_besides(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": ROWS})
    found = preview(service)
    assert (found.tables, found.table) == (("items", "others"), "items")
    assert [(one.name, one.type, one.key, one.place) for one in found.columns] == [
        ("id", "bigint", True, "id"),
        ("price", "decimal(10,2)", False, "cost.net"),
    ]
    assert found.rows == (("1", "1.50"), ("2", "2.00"), ("3", "3.00"))
    assert {one.name: (one.type, one.place) for one in found.undeclared} == {
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


def test_a_value_that_is_none_of_its_type_is_shown_with_the_line_that_says_so(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": [{"id": 1, "cost": {"net": "dear"}}, {"cost": {"net": "1"}}]})
    found = preview(service)
    assert found.rows == (("1", "dear"), (None, "1"))
    assert [(one.line, one.place, one.record, one.detail) for one in found.faults] == [
        (9, "resources.0.columns.id", 2, "id: no value"),
        (10, "resources.0.columns.price", 1, "price: no decimal(10,2)"),
    ]


@pytest.mark.parametrize(("status", "line"), [(401, 1), (403, 1), (404, 4)])
def test_a_refusal_has_the_line_that_it_is_about(service: RestService, status: int, line: int) -> None:
    service.answer = lambda asked: Reply({"message": f"not {asked.headers['authorization']}"}, status)
    found = preview(service)
    assert [one.line for one in found.faults] == [line]
    assert "s3cret" not in found.faults[0].detail
    assert found.rows == ()


def test_long_values_are_cut_and_a_table_is_chosen_by_name(service: RestService) -> None:
    service.answer = lambda asked: Reply([{"id": number, "t": "中" * 300} for number in range(50)])
    found = preview(service, DOCUMENT.replace("{id: bigint}}", "{id: bigint, t: text}}"), "others")
    assert (found.table, len(found.rows)) == ("others", 20)
    assert found.rows[0] == ("0", "中" * 200 + "…")
    with pytest.raises(TableMissing):
        preview(service, table="no")


def test_of_children_those_of_the_first_parents_are_shown(service: RestService) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path == "/items":
            return Reply({"rows": ROWS})
        return Reply([{"id": 7}] if asked.path == "/items/2" else [])

    service.answer = answer
    child = "  - {name: child, path: '/items/${parent.n}', parent: {resource: items, values: {n: id}}, key: [id], "
    found = preview(service, DOCUMENT + child + "columns: {id: bigint, of: {parent: id, type: bigint}}}\n", "child")
    assert found.rows == (("7", "2"),)
    assert [one.path for one in service.asked] == ["/items", "/items/1", "/items/2"]


def test_a_service_that_is_not_there_is_no_fault_of_the_document(service: RestService) -> None:
    service.answer = lambda asked: Reply({}, 503)
    with pytest.raises(SourceUnavailable):
        preview(service)
