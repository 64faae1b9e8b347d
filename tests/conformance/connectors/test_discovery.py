"""A table is described the same way in every kind of database."""

from dataclasses import replace

import pytest

from tests.conformance.connectors.case import Place
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import Side
from zcbus.model.types import Kind

pytestmark = pytest.mark.server


def test_tables_columns_and_keys(place: Place) -> None:
    place.create(
        "first",
        "b BIGINT NOT NULL, a INT NOT NULL, name VARCHAR(20), amount DECIMAL(12,2) NOT NULL, day DATE,"
        "PRIMARY KEY (b, a)",
    )
    place.create("second", "code VARCHAR(10) NOT NULL, other INT, UNIQUE (code), UNIQUE (other)")
    with place.connector.discoverer(place.options) as discoverer:
        schema_name = place.case.schema(place.database)
        assert schema_name in discoverer.schemas()
        tables = discoverer.tables(schema_name)
        first, second = discoverer.describe([place.name("first"), place.name("second")])
        with pytest.raises(TableMissing):
            discoverer.describe([place.name("absent")])
    found = [(table.name, table.has_primary_key, table.has_unique_key) for table in tables]
    assert found == [(place.name("first"), True, True), (place.name("second"), False, True)]
    assert first.names == ("b", "a", "name", "amount", "day")
    kinds = [Kind.INT64, Kind.INT32, Kind.TEXT, Kind.DECIMAL, Kind.DATE]
    assert [column.type.kind for column in first.columns] == kinds
    assert [column.nullable for column in first.columns] == [False, False, True, False, True]
    assert first.column("name").type.length == 20
    assert (first.column("amount").type.precision, first.column("amount").type.scale) == (12, 2)
    assert first.primary_key == first.key() == ("b", "a")
    assert second.primary_key == ()
    assert second.unique_keys == (("code",),)
    assert second.key() == ("code",)


def test_the_platforms_own_schema_in_a_target_is_not_listed(place: Place) -> None:
    place.create("first", "id INT NOT NULL, PRIMARY KEY (id)")
    with place.connector.target(place.options).open() as session:
        session.prepare_store()
    with place.connector.discoverer(place.options) as discoverer:
        assert "zcbus" not in discoverer.schemas()
        listed = [table.name for table in discoverer.tables()]
    # On MySQL and MariaDB the tables of other tests' databases are listed besides.
    assert place.name("first") in listed
    assert "zcbus" not in {name.schema for name in listed}


def test_all_checks_pass_for_the_administrator(place: Place) -> None:
    sides: tuple[Side, ...] = ("source", "target")
    for side in sides:
        results = place.connector.tester().test(place.options, side)
        assert [result for result in results if not result.ok and result.blocking] == []
        assert [result.item for result in results][:3] == ["reachable", "login", "version"]


@pytest.mark.parametrize("field", ["database", "user"])
def test_settings_in_a_name_are_part_of_the_name(place: Place, field: str) -> None:
    """Drivers that take one text for a connection let a name bring settings, and so files or another host."""
    name = f"{getattr(place.options, field)}?local_infile=1&host=x host=y"
    results = place.connector.tester().test(replace(place.options, **{field: name}), "source")
    assert [(result.item, result.ok) for result in results] == [("reachable", True), ("login", False)]
    assert name in results[-1].detail
