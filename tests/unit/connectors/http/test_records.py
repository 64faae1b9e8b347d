"""Pages, records, their values, and rows in the order of a key."""

import pyarrow as pa
import pytest

from tests.support.rest_service import Asked, Reply, RestService
from tests.unit.connectors.http.asking import options, rows
from zcbus.connectors.conditions import Membership
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.http.document import CursorPart
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.parts import ColumnPart
from zcbus.connectors.http.pull import HttpPuller
from zcbus.connectors.http.records import schema_of, spelled
from zcbus.connectors.http.rows import HttpReader
from zcbus.connectors.http.spool import Spool

HEAD = "limits: {requests_per_second: 1000}\n"
ALL = [{"id": number} for number in range(7)]


def items(pages: str, further: str = "") -> str:
    columns = "columns: {id: bigint}"
    return f"{HEAD}pages: {pages}\nresources:\n  - {{name: items, path: /items, key: [id], {further} {columns}}}\n"


def paged(asked: Asked) -> Reply:
    """Three records a page, in every way at once."""
    given = asked.json if asked.body else {}
    first = int(asked.query.get("offset", given.get("offset", 0)))
    first += 3 * (int(asked.query.get("page", 1)) - 1) + int(asked.query.get("behind", -1)) + 1
    found = ALL[first : first + 3]
    more = first + 3 < len(ALL)
    following = f"/items?offset={first + 3}"
    links = {"Link": f'<{following}>; rel="next"'} if more else {}
    body = {"rows": found, "url": following if more else None, "mark": first + 3 if more else None, "more": more}
    return Reply(found if "plain" in asked.query else body, headers=links)


@pytest.mark.parametrize(
    ("pages", "further"),
    [
        ("{type: link-header}", "records: rows,"),
        ("{type: next-url, path: url}", "records: rows,"),
        ("{type: page, param: page, size: 3}", "query: {plain: true},"),
        ("{type: offset, param: offset, size_param: limit, size: 3}", "records: 'rows[*]',"),
        ("{type: cursor, param: offset, path: mark}", "records: rows,"),
        ("{type: cursor, param: offset, path: mark, more: more, place: body}", "method: POST, records: rows,"),
        ("{type: last-record, param: behind, path: id, more: more}", "records: rows,"),
        ("{type: last-record, param: behind, path: id, size: 3}", "records: rows,"),
    ],
)
def test_all_pages_are_read(service: RestService, pages: str, further: str) -> None:
    service.answer = paged
    assert rows(options(service, items(pages, further)), "items") == [(str(number),) for number in range(7)]
    assert len(service.asked) == 3


def test_a_page_that_asks_for_itself_ends(service: RestService) -> None:
    service.answer = lambda asked: Reply({"rows": ALL, "mark": "same"})
    with pytest.raises(TableRefused):
        rows(options(service, items("{type: cursor, param: at, path: mark}", "records: rows,")), "items")
    assert len(service.asked) == 2


def test_values(service: RestService) -> None:
    record = (
        b'[{"id": 12345678901234567890.10, "t": "2026-01-02T03:04:05.100Z", "s": 1700000000.5, "b": true, '
        b'"j": {"a": [1.0, null, "\\u4e2d"]}, "js": "text", "deep": {"x y": {"z": [7, 8]}}, "n": null}]'
    )
    service.answer = lambda asked: Reply(record)
    document = f"""{HEAD}resources:
  - name: items
    path: /items
    key: [k]
    columns:
      k: {{path: id}}
      t: timestamptz
      s: {{type: timestamptz, unit: seconds}}
      b: boolean
      j: json
      js: json
      deep: {{path: "deep['x y'].z[1]", type: bigint}}
      n: bigint
      j2: {{path: j}}
"""
    assert rows(options(service, document), "items") == [
        (
            "12345678901234567890.10",
            "2026-01-02 03:04:05.1+00",
            "2023-11-14 22:13:20.5+00",
            "t",
            '{"a": [1.0, null, "中"]}',
            '"text"',
            "8",
            None,
            '{"a": [1.0, null, "中"]}',
        )
    ]


def test_rows_with_a_header_and_children_of_parents(service: RestService) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path == "/teams":
            return Reply({"values": [["id", "name"], ["a/b", "A"], ["c", "C"]]})
        return Reply([{"id": 1, "of": asked.target}])

    service.answer = answer
    document = f"""{HEAD}resources:
  - {{name: teams, path: /teams, records: values, header_row: true, key: [id], columns: {{id: text, name: text}}}}
  - name: people
    path: /teams/${{parent.team}}/people
    query: {{as: "${{who}}"}}
    parent: {{resource: teams, values: {{team: id}}}}
    key: [team, id]
    columns: {{team: {{parent: id}}, id: bigint, of: text}}
"""
    asked = options(service, document, parameters="who=me, x=1")
    assert rows(asked, "teams") == [("a/b", "A"), ("c", "C")]
    assert rows(asked, "people") == [("a/b", "1", "/teams/a%2Fb/people?as=me"), ("c", "1", "/teams/c/people?as=me")]
    with pytest.raises(TableRefused) as caught:
        rows(options(service, document), "people")
    assert "${who}" in str(caught.value.facts["detail"])


@pytest.mark.parametrize(
    ("column", "cursor", "after", "wanted"),
    [
        ("timestamptz", {}, "2026-01-02 03:04:05.1+00", "2026-01-02T03:04:05.1Z"),
        ("timestamptz", {"overlap": 60}, "2026-01-02 03:04:05+00", "2026-01-02T03:03:05Z"),
        ("timestamptz", {"format": "second"}, "2026-01-02 03:04:05.1+00", "2026-01-02T03:04:05Z"),
        ("timestamptz", {"format": "minute"}, "2026-01-02 03:04:05+00", "2026-01-02 03:04"),
        ("timestamptz", {"format": "milliseconds"}, "1970-01-01 00:00:01.5+00", "1500"),
        ("timestamp", {}, "2026-01-02 03:04:05", "2026-01-02T03:04:05"),
        ("bigint", {"overlap": 5}, "17", "12"),
        ("text", {}, "abc", "abc"),
    ],
)
def test_where_changes_are_asked_for_from(column: str, cursor: dict[str, object], after: str, wanted: str) -> None:
    part = CursorPart.model_validate({"column": "c", **cursor})
    assert spelled(part, ColumnPart.model_validate(column), after) == wanted


@pytest.mark.parametrize(
    ("times", "asked"),
    [
        (("2026-01-02 03:04:05", "2026-01-02 23:00:00.5"), "2026-01-02 03:04:05"),
        (("2026-01-02T03:04:05Z", "2026-01-02T23:00:00Z"), "2026-01-02T03:04:05Z"),
        (("2026-01-02T03:04:05+00:00", "2026-01-02T23:00:00+00:00"), "2026-01-02T03:04:05+00:00"),
        (("2026-01-02 11:04:05+0800", "2026-01-02 23:00:00+0800"), "2026-01-02 11:04:05+0800"),
        (("2026-01-01T21:34:05-05:30", "2026-01-02T09:00:00-05:30"), "2026-01-01T21:34:05-05:30"),
    ],
)
def test_a_service_that_compares_texts_is_asked_in_its_own_notation(
    service: RestService, times: tuple[str, str], asked: str
) -> None:
    """Else no change of the same day is behind where a request continues."""
    records = [{"id": number, "at": time} for number, time in enumerate(times)]
    cursors: list[str] = []

    def answer(asked: Asked) -> Reply:
        cursors.append(asked.query.get("from", ""))
        return Reply([one for one in records if str(one["at"]) >= asked.query.get("from", "")])

    service.answer = answer
    at = "timestamp" if len(asked) == len("2026-01-02 03:04:05") else "timestamptz"
    columns = f"columns: {{id: bigint, at: {at}}}"
    document = f"""{HEAD}resources:
  - {{name: items, path: /items, key: [id], cursor: {{column: at, query: {{from: "${{cursor}}"}}}}, {columns}}}
"""
    with HttpPuller(options(service, document)) as puller:
        schema = schema_of(read(document).resources[0], "http")
        every = [last for _, last in puller.pull(schema, "at", None, 1)]
        behind = [batch.column("id").to_pylist() for batch, _ in puller.pull(schema, "at", every[0], 10)]
    assert behind == [["1"]]
    assert cursors[-1] == asked


def test_changes_come_in_the_order_of_the_cursor_and_only_those(service: RestService) -> None:
    def answer(asked: Asked) -> Reply:
        page = int(asked.query.get("page", 1))
        return Reply([{"id": 100 - 2 * page - k, "at": 1000 - 2 * page - k} for k in range(2)] if page < 50 else [])

    service.answer = answer
    further = "cursor: {column: at, newest_first: true, query: {since: '${cursor}'}},"
    document = items("{type: page, param: page, size: 2}", further).replace("{id: bigint}", "{id: bigint, at: bigint}")
    with HttpPuller(options(service, document)) as puller:
        table = schema_of(read(document).resources[0], "http")
        assert puller.watermark(table) == "at"
        found = [(batch.to_pydict(), last) for batch, last in puller.pull(table, "at", "992", 2)]
    assert found == [
        ({"id": ["93", "94"], "at": ["993", "994"]}, "994"),
        ({"id": ["95", "96"], "at": ["995", "996"]}, "996"),
        ({"id": ["97", "98"], "at": ["997", "998"]}, "998"),
    ]
    assert len(service.asked) == 4, "a page without anything new is the last"
    assert {one.query["since"] for one in service.asked} == {"992"}


def test_each_parent_has_its_own_newest_records(service: RestService) -> None:
    """What is known of one team says nothing of the next."""
    newest = {"/teams/1": 5, "/teams/2": 9}

    def answer(asked: Asked) -> Reply:
        if asked.path == "/teams":
            return Reply([{"id": 1}, {"id": 2}])
        return Reply([{"id": newest[asked.path], "at": newest[asked.path]}])

    service.answer = answer
    document = f"""{HEAD}pages: {{type: page, param: page, size: 1}}
resources:
  - {{name: teams, path: /teams, pages: {{type: none}}, key: [id], columns: {{id: bigint}}}}
  - name: people
    path: /teams/${{parent.team}}
    parent: {{resource: teams, values: {{team: id}}}}
    pages: {{type: none}}
    key: [id]
    columns: {{id: bigint, at: bigint}}
    cursor: {{column: at, newest_first: true}}
"""
    table = schema_of(read(document).resources[1], "http")
    with HttpPuller(options(service, document)) as puller:
        found = [batch.to_pydict() for batch, _ in puller.pull(table, "at", "7", 10)]
    assert found == [{"id": ["9"], "at": ["9"]}]


def test_names_that_differ_in_case_alone(service: RestService) -> None:
    service.answer = lambda asked: Reply([{"id": 2, "ID": "b"}, {"id": 1, "ID": "a"}])
    document = f"{HEAD}resources:\n  - {{name: t, path: /t, key: [id], columns: {{id: bigint, ID: text}}}}\n"
    table = schema_of(read(document).resources[0], "http")
    with HttpReader(options(service, document)) as reader:
        ((batch, _),) = reader.read(table, ("id",), None, 9)
    assert batch.to_pydict() == {"id": ["1", "2"], "ID": ["a", "b"]}


def test_a_pass_in_the_order_of_the_key_asks_once(service: RestService) -> None:
    names = ["b", "中", "a", "😀", "B", "a"]
    service.answer = lambda asked: Reply([{"n": name, "v": place} for place, name in enumerate(names)])
    document = f"{HEAD}resources:\n  - {{name: t, path: /t, key: [n], columns: {{n: text, v: bigint}}}}\n"
    table = schema_of(read(document).resources[0], "http")
    with HttpReader(options(service, document)) as reader:
        border = reader.border(table, ("n",), None, 2)
        assert border == ("a",)
        batch, last = next(reader.read(table, ("n",), None, 9, until=border))
        assert (batch.to_pydict(), last) == ({"n": ["B", "a"], "v": ["4", "5"]}, ("a",))
        assert [part.to_pydict()["n"] for part, _ in reader.read(table, ("n",), border, 2)] == [["b", "中"], ["😀"]]
        assert len(service.asked) == 1
        (found, _), *_ = reader.read(table, ("n",), None, 9, where=Membership("n", ("b", "x'y")))
        assert found.to_pydict()["n"] == ["b"]
        assert len(service.asked) == 2, "a new look is a new request"
        assert reader.count(table) == 5


def test_numbers_sort_by_value() -> None:
    table = schema_of(read(items("{type: none}")).resources[0], "http")
    spool = Spool(table, ("id",))
    spool.add(pa.RecordBatch.from_pydict({"id": ["10", "-3", "9", "10"]}))
    assert [batch.to_pydict()["id"] for batch, _ in spool.read(("-3",), 5)] == [["9", "10"]]
    spool.close()
