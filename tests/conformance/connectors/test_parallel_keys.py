"""Which tables several sessions may write at once, each with keys of its own."""

import pytest

from tests.conformance.connectors.case import Place
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import KeyParallelSink
from zcbus.connectors.roles.sink import supports_parallel_keys

pytestmark = pytest.mark.server


@pytest.fixture
def place(written: Place) -> Place:
    """A target of every kind."""
    return written


TABLES = {
    "plain": ("id BIGINT NOT NULL, v INT, PRIMARY KEY (id)", False),
    "alone": ("id BIGINT NOT NULL, v INT, PRIMARY KEY (id)", True),
    "pairs": ("b INT NOT NULL, a VARCHAR(20) NOT NULL, v INT, PRIMARY KEY (b, a)", True),
    "unique_value": ("id BIGINT NOT NULL, v INT, PRIMARY KEY (id), UNIQUE (v)", False),
    "child": ("id BIGINT NOT NULL, p BIGINT, PRIMARY KEY (id), FOREIGN KEY (p) REFERENCES plain (id)", False),
    "no_key": ("id BIGINT NOT NULL, v INT", False),
}


def test_only_the_key_is_unique_and_no_foreign_key_is_checked(place: Place) -> None:
    for name, (columns, _) in TABLES.items():
        place.create(name, columns)
    with place.connector.target(place.options).open() as session:
        found = {name: supports_parallel_keys(session, place.target_table(place.describe(name))) for name in TABLES}
        assert found == {name: expected and place.case.parallel_keys for name, (_, expected) in TABLES.items()}


def test_a_missing_table(place: Place) -> None:
    place.create("alone", TABLES["alone"][0])
    table = place.target_table(place.describe("alone"))
    place.execute("DROP TABLE alone")
    with place.connector.target(place.options).open() as session:
        if isinstance(session, KeyParallelSink):
            with pytest.raises(TableMissing):
                session.supports_parallel_keys(table)


def test_another_unique_index_is_seen_after_tables_are_read_again(place: Place) -> None:
    place.create("alone", TABLES["alone"][0])
    table = place.target_table(place.describe("alone"))
    with place.connector.target(place.options).open() as session:
        assert supports_parallel_keys(session, table) is place.case.parallel_keys
        place.execute("CREATE UNIQUE INDEX other ON alone (v)")
        session.forget_tables()
        assert not supports_parallel_keys(session, table)
