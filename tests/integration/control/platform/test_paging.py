"""Lists by page, on both stores."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa

from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RequestMalformedError
from zcbus.control.platform.paging import ListDefinition, Listing, Page, PageRequest, StreamedPage, answer_page
from zcbus.control.platform.schema import Schema
from zcbus.control.store.engine import Database

CITY = sa.Table(
    "city",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("display_name", sa.String(50)),
    sa.Column("country", sa.String(2)),
)
COUNT = 47


class City(Schema):
    id: int
    display_name: str


CITIES = ListDefinition[City](City, {"displayName": "display_name", "country": "country"})
LISTING = Listing(
    CITIES,
    sa.select(CITY),
    usual_order=[CITY.c.id],
    to_record=City.of_row,
)


@pytest.fixture
def call(store_url: str) -> Iterator[Call]:
    database = Database(store_url)
    with database.write() as connection:
        CITY.create(connection)
        connection.execute(
            CITY.insert(),
            [{"id": n, "display_name": f"城 {COUNT - n:03}", "country": "CN" if n % 2 else "DE"} for n in range(COUNT)],
        )
    with database.read() as connection:
        services = SimpleNamespace(database=database)
        yield cast("Call", SimpleNamespace(connection=connection, services=services))
    database.close()


def page(call: Call, **request: Any) -> Page[City]:
    return answer_page(call, PageRequest(**request), LISTING)


def ids(answer: Page[City]) -> list[int]:
    return [record.id for record in answer.records]


def test_pages_join_without_gap_or_overlap(call: Call) -> None:
    answers = [page(call, current=number, size=10) for number in range(1, 7)]
    assert [len(answer.records) for answer in answers] == [10, 10, 10, 10, 7, 0]
    assert {answer.total for answer in answers} == {COUNT}
    assert [n for answer in answers for n in ids(answer)] == list(range(COUNT))


def test_the_first_page_has_twenty(call: Call) -> None:
    assert ids(page(call)) == list(range(20))


def test_sorting_both_ways_and_ties_in_the_usual_order(call: Call) -> None:
    assert ids(page(call, size=2, sort="displayName", order="asc")) == [46, 45]
    assert ids(page(call, size=2, sort="displayName", order="desc")) == [0, 1]
    assert ids(page(call, size=3, sort="country", order="asc")) == [1, 3, 5]


@pytest.mark.parametrize("sort", ["id; DROP TABLE city", "display_name", ""])
def test_sorting_by_something_else_is_refused(call: Call, sort: str) -> None:
    with pytest.raises(RequestMalformedError):
        page(call, sort=sort)


def test_a_list_of_all_rows_is_streamed(call: Call) -> None:
    answer = page(call, size=-1)
    assert isinstance(answer, StreamedPage)
    text = b"".join(answer._pieces(call, b'{"code":200,"message":"","data":')).decode()
    data = json.loads(text)["data"]
    assert data["total"] == COUNT
    assert [record["id"] for record in data["records"]] == list(range(COUNT))
    assert data["records"][0]["displayName"] == "城 047"


def test_an_empty_list_streams_too(call: Call) -> None:
    nothing = Listing(CITIES, sa.select(CITY).where(sa.false()), [CITY.c.id], City.of_row)
    answer = answer_page(call, PageRequest(size=-1), nothing)
    assert isinstance(answer, StreamedPage)
    assert json.loads(b"".join(answer._pieces(call, b'{"data":')))["data"] == {"total": 0, "records": []}


@pytest.mark.parametrize("request_", [{"current": 0}, {"size": 0}, {"size": -2}, {"size": 1001}, {"order": "up"}])
def test_wrong_pages_are_refused(request_: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        PageRequest.model_validate(request_)
