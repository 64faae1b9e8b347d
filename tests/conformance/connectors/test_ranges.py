"""A table read range by range, as for comparisons, is complete, with each row once."""

import pytest

from tests.conformance.connectors.case import Place, Row, rows_of
from zcbus.connectors.reading import Key, TableReader
from zcbus.model.schema import TableSchema

pytestmark = pytest.mark.server

KEYS = {
    "numbers": ("k BIGINT NOT NULL, v INT, PRIMARY KEY (k)", [f"({n * 7 - 30}, {n})" for n in range(11)]),
    "words": (
        "k VARCHAR(20) NOT NULL, v INT, PRIMARY KEY (k)",
        [f"('{word}{n}', {n})" for word in ("a", "B", "_", "é", "Z") for n in range(2)],
    ),
    "pairs": (
        "k INT NOT NULL, l VARCHAR(20) NOT NULL, v INT, PRIMARY KEY (k, l)",
        [f"({n // 3}, 'l{n}', {n})" for n in range(10)],
    ),
    "fractions": ("k DECIMAL(8,3) NOT NULL, v INT, PRIMARY KEY (k)", [f"({n}.{n}50, {n})" for n in range(10)]),
}


@pytest.fixture
def place(written: Place) -> Place:
    """A target of every kind."""
    return written


@pytest.mark.parametrize("name", KEYS)
def test_ranges_cover_the_table(place: Place, name: str) -> None:
    columns, values = KEYS[name]
    place.create(name, columns)
    place.execute(f"INSERT INTO {name} VALUES {', '.join(values)}")
    schema = place.describe(name)
    with place.connector.reader(place.options, "target") as reader:
        all_rows = _read(reader, schema, None, None)
        found: list[Row] = []
        borders: list[Key | None] = [None]
        while (border := reader.border(schema, schema.key(), borders[-1], 3)) is not None:
            part = _read(reader, schema, borders[-1], border)
            assert len(part) == 3
            found += part
            borders.append(border)
        found += _read(reader, schema, borders[-1], None)
    assert found == all_rows
    assert len(all_rows) == len(values)
    assert len(borders) == len(values) // 3 + 1


def _read(reader: TableReader, schema: TableSchema, after: Key | None, until: Key | None) -> list[Row]:
    batches = reader.read(schema, schema.key(), after, 100, until)
    return [row for batch, _ in batches for row in rows_of(batch)]
