"""Pairs of databases to try. A kind's own case is in `<kind>_case.py`."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.conformance.connectors.case import Case, Place
from tests.conformance.connectors.mysql_case import MySQL8Case, MySQLCase
from tests.conformance.connectors.postgresql_case import PostgreSQLCase

CASES: dict[str, tuple[type[Case], str]] = {
    "postgresql": (PostgreSQLCase, "postgres_server"),
    "postgresql18": (PostgreSQLCase, "postgres18_server"),
    "postgresql12": (PostgreSQLCase, "postgres12_server"),
    "mysql": (MySQLCase, "mariadb_server"),
    "mysql8": (MySQL8Case, "mysql_server"),
}
"""Name in the tests' ids → the case and the fixture of its server."""

PAIRS = [
    ("postgresql", "postgresql"),
    ("postgresql", "mysql"),
    ("mysql", "postgresql"),
    ("mysql", "mysql"),
    ("postgresql18", "postgresql18"),
    ("postgresql12", "postgresql12"),
    ("mysql8", "mysql8"),
    ("mysql8", "postgresql"),
    ("postgresql", "mysql8"),
]


@dataclass(frozen=True)
class Pair:
    """Where rows come from and where they go."""

    source: Place
    target: Place


def make_place(request: pytest.FixtureRequest, name: str) -> Place:
    case, server = CASES[name]
    return Place(case(request.getfixturevalue(server)))


@pytest.fixture(params=PAIRS, ids=lambda names: f"{names[0]}-to-{names[1]}")
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Every ordered pair of kinds."""
    source, target = request.param
    made = Pair(make_place(request, source), make_place(request, target))
    yield made
    made.source.connector.source(made.source.options).drop("conformance")
    made.source.drop()
    made.target.drop()


@pytest.fixture(params=sorted(CASES))
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Every kind by itself."""
    made = make_place(request, request.param)
    yield made
    made.connector.source(made.options).drop("conformance")
    made.drop()
