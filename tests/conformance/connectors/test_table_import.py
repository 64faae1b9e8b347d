"""Files become rows of a table: all of them, those that are not refused, or none."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.connectors.case import Place
from tests.conformance.connectors.conftest import make_place
from zcbus.engine.requests import table_import
from zcbus.engine.requests.table_import import (
    ImportColumnsUnusable,
    ImportKeyMissing,
    ImportTableExists,
    import_table,
)
from zcbus.engine.requests.watch import RequestWithdrawn, Watch
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.table_import import ImportColumn, ImportOutcome, ImportTable, UploadedFile

pytestmark = pytest.mark.server

HEADER = "number,name,since\n"


class InProcess:
    """A child process costs more than these files."""

    def __init__(self, *_limits: int) -> None: ...

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def close(self) -> None: ...


@pytest.fixture(params=["postgresql", "mysql", "sqlite"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    made = make_place(request, request.param)
    monkeypatch.setattr(table_import, "options_of", lambda _: made.options)
    monkeypatch.setattr(table_import, "Confined", InProcess)
    made.create("goods", "id INT NOT NULL, name VARCHAR(20) NOT NULL, since DATE, PRIMARY KEY (id)")
    made.execute("INSERT INTO goods VALUES (1,'tea',NULL)")
    yield made
    made.drop()


@pytest.fixture
def imported(place: Place, tmp_path: Path) -> Callable[..., ImportOutcome]:
    def run(rows: str, watch: Watch | None = None, table: str = "goods", **given: Any) -> ImportOutcome:
        path = tmp_path / "data"
        path.write_text(HEADER + rows)
        name = place.name(table)
        columns = given.pop("columns", (("number", "id"), ("name", "name"), ("since", "since")))
        request = ImportTable(
            connection=Connection(kind=place.case.kind),
            file=UploadedFile(id="1", size=0, sha256=""),
            form="csv",
            table=TableRef(schema_name=name.schema, table=name.table),
            columns=tuple(ImportColumn(source=column[0], target=column[1], **_more(column[2:])) for column in columns),
            **{"row_limit": 1000, **given},
        )
        return import_table(request, path, lambda _: place.connector, watch or Watch())

    return run


def _more(rest: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(("type", "key"), rest, strict=False))


def rows_of(place: Place, table: str = "goods") -> list[tuple[Any, ...]]:
    return [tuple(row) for row in place.read(table)]


TEA = ("1", "tea", None)


def test_rows_are_added_whole_or_not_at_all(place: Place, imported: Callable[..., ImportOutcome]) -> None:
    bad = "2,rice,2026-01-02\n1,coffee,\n3,salt,2026-13-02\n4,,\n"
    refused = imported(bad)
    assert (refused.committed, refused.read, refused.refused) == (False, 4, 3)
    assert [(one.line, one.column) for one in refused.records] == [(3, ""), (4, "since"), (5, "")]
    assert rows_of(place) == [TEA]
    kept = imported(bad, skip_refused=True)
    assert (kept.committed, kept.written, kept.refused) == (True, 1, 3)
    assert rows_of(place) == [TEA, ("2", "rice", "2026-01-02")]
    checked = imported("5,x,\n", check_only=True)
    assert (checked.committed, checked.written, len(rows_of(place))) == (False, 1, 2)


def test_rows_replace_those_with_their_key_or_all(place: Place, imported: Callable[..., ImportOutcome]) -> None:
    done = imported("1,coffee,\n2,rice,\n2,salt,2026-01-02\n", mode="upsert")
    assert (done.committed, done.written) == (True, 3)
    assert rows_of(place) == [("1", "coffee", None), ("2", "salt", "2026-01-02")]
    assert imported("7,x,\n7,y,\n", mode="replace").committed is False
    assert len(rows_of(place)) == 2
    assert imported("7,x,\n", mode="replace").committed
    assert rows_of(place) == [("7", "x", None)]
    with pytest.raises(ImportKeyMissing):
        imported("1,x,\n", mode="upsert", columns=(("name", "name"),))


def test_a_new_table_has_the_chosen_types_or_is_gone_again(
    place: Place, imported: Callable[..., ImportOutcome]
) -> None:
    columns = (("number", "id", "bigint", True), ("since", "day", "date"), ("name", "price", "decimal(5,2)"))
    new = {"create": True, "table": "fresh", "columns": columns}
    assert imported("1,2.5,\n1,3,\n", **new).committed is False
    assert imported("1,2.5,\n2,x,\n", **new).refused == 1
    assert imported("1,2.5,2026-01-02\n", **new).committed
    assert [tuple(row)[:2] for row in place.read("fresh")] == [("1", "2026-01-02")]
    with pytest.raises(ImportTableExists):
        imported("1,2,\n", **new)
    with pytest.raises(ImportColumnsUnusable):
        imported("1,x,\n", columns=(("number", "absent"),))


def test_the_empty_table_of_an_import_that_was_killed_is_taken_up(
    place: Place, imported: Callable[..., ImportOutcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = (("number", "id", "bigint", True), ("since", "day", "date"))
    new = {"create": True, "table": "fresh", "columns": columns}
    with monkeypatch.context() as killed:
        # What a process that is killed between the statement and the end of the transaction leaves.
        killed.setattr(table_import, "_write_rows", lambda _request, session, *_rest: session.commit())
        imported("1,x,\n", **new)
    assert place.read("fresh") == []
    with pytest.raises(ImportTableExists):
        imported("1,x,\n", **{**new, "columns": columns[:1]})
    assert imported("1,x,2026-13-02\n", **new).committed is False
    assert place.read("fresh") == []
    assert imported("1,x,2026-01-02\n", **new).committed
    with pytest.raises(ImportTableExists):
        imported("2,x,\n", **new)


def test_a_withdrawn_import_leaves_nothing(place: Place, imported: Callable[..., ImportOutcome]) -> None:
    class Withdrawn(Watch):
        def reached(self, done: int, total: int) -> None:
            if done == total:
                self.withdraw()
            super().reached(done, total)

    with pytest.raises(RequestWithdrawn):
        imported("2,x,\n3,y,\n", Withdrawn())
    assert rows_of(place) == [TEA]
    assert threading.active_count() < 50


def test_other_rows_stay_what_foreign_keys_ask_for(place: Place, imported: Callable[..., ImportOutcome]) -> None:
    if place.case.kind == "sqlite":
        pytest.skip("SQLite checks foreign keys only where a session asks for it")
    place.create("sold", "id INT NOT NULL PRIMARY KEY, good INT, FOREIGN KEY (good) REFERENCES goods (id)")
    refused = imported("1,1,\n2,9,\n", table="sold", columns=(("number", "id"), ("name", "good")), skip_refused=True)
    assert [(one.line, refused.written) for one in refused.records] == [(3, 1)]
