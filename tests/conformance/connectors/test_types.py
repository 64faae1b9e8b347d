"""Every value of every type arrives as it left, or as the documents say it does."""

from dataclasses import replace

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import EVERYWHERE, Place, Row, TypeCase, Value
from tests.conformance.connectors.conftest import PAIRS, Pair
from tests.conformance.connectors.replay import changes_of, read_until
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import CapturedTable, MappedColumn, TargetSession, TargetTable
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode, LoadType

pytestmark = pytest.mark.server

TABLE = "every_type"
NODE = "conformance"


def create(place: Place) -> int:
    """The table with all types; returns how many rows there will be."""
    if place.case.prelude:
        place.execute(place.case.prelude)
    columns = "".join(f", {case.name} {case.declaration} NULL" for case in place.case.types)
    place.create(TABLE, f"k INT NOT NULL{columns}, PRIMARY KEY (k)")
    return max(len(case.values) for case in place.case.types) + 1


def insert(place: Place, count: int, first: int) -> None:
    """Rows whose columns have their n-th values; the last row has nulls only."""
    for number in range(count):
        values = [_or_null(case.values, number) for case in place.case.types]
        place.execute(f"INSERT INTO {TABLE} VALUES ({first + number}, {', '.join(values)})")


def _or_null(values: tuple[str, ...], number: int) -> str:
    return values[number] if number < len(values) else "NULL"


def columns_of(rows: list[Row], place: Place) -> dict[str, tuple[Value, ...]]:
    """Per type its values, without the nulls behind them."""
    return {
        case.name: tuple(row[number + 1] for row in rows[: len(case.values)])
        for number, case in enumerate(place.case.types)
    }


def test_snapshot_and_capture_give_the_same_text(place: Place) -> None:
    count = create(place)
    table = CapturedTable(place.name(TABLE), ("k",))
    source = place.connector.source(place.options)
    begin = source.prepare(NODE, [table])
    insert(place, count, 0)
    with source.open_changes(NODE, [table], begin) as stream:
        frames, _ = read_until(stream, lambda changes: len(changes) >= count)
    captured = [change.row for change in changes_of(frames)]
    read = place.read(TABLE)
    assert columns_of(captured, place) == columns_of(read, place)
    assert captured == read
    assert frames[0].tables[0].schema == place.describe(TABLE)
    expected = {case.name: case.canonical for case in place.case.types if case.canonical is not None}
    found = columns_of(read, place)
    assert {name: found[name] for name in expected} == expected


def test_updates_and_deletes_of_every_type(place: Place) -> None:
    count = create(place)
    table = CapturedTable(place.name(TABLE), ("k",))
    source = place.connector.source(place.options)
    insert(place, count, 0)
    begin = source.prepare(NODE, [table])
    read = place.read(TABLE)
    with source.open_changes(NODE, [table], begin) as stream:
        place.execute(f"UPDATE {TABLE} SET k = k + 100")
        place.execute(f"DELETE FROM {TABLE}")
        _, changes = read_until(stream, lambda found: len(found) >= 2 * count)
    updates = sorted(changes[:count], key=lambda change: int(str(change.key_before[0])))
    assert [change.row[1:] for change in updates] == [row[1:] for row in read]
    assert [change.key_before for change in updates] == [(str(number),) for number in range(count)]
    assert {change.key_before for change in changes[count:]} == {(str(number + 100),) for number in range(count)}


def accepted(pair: Pair, schema: TableSchema) -> tuple[TargetTable, list[TypeCase]]:
    """The columns that the target takes, and their cases. The others must be refused as the cases say."""
    target = pair.target.connector.target(pair.target.options)
    blocking = {note.column for note in target.map_columns(schema, ("k",)) if note.blocking}
    kind = pair.target.case.kind
    assert blocking == {case.name for case in pair.source.case.types if case.refused_by & {kind, EVERYWHERE}}
    columns = tuple(MappedColumn(c.name, c.name, c.type, c.nullable) for c in schema.columns if c.name not in blocking)
    table = TargetTable(pair.target.name(TABLE), columns, ("k",), schema)
    return table, [case for case in pair.source.case.types if case.name not in blocking]


@pytest.mark.every_case
def test_every_type_arrives(pair: Pair) -> None:
    bring_every_type(pair, LoadType.BULK)


@pytest.mark.parametrize("pair", PAIRS[:4], indirect=True, ids="-to-".join)
def test_every_type_arrives_by_statements(pair: Pair) -> None:
    bring_every_type(pair, LoadType.STATEMENTS)


def bring_every_type(pair: Pair, load_type: LoadType) -> None:
    """Load, replace and update rows with all types."""
    count = create(pair.source)
    schema = pair.source.describe(TABLE)
    table, cases = accepted(pair, schema)
    insert(pair.source, count, 0)
    if pair.source.case.kind == pair.target.case.kind and pair.target.case.target_prelude:
        pair.target.execute(pair.target.case.target_prelude)
    names = [column.source for column in table.columns]
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(replace(pair.target.options, load_type=load_type)).open() as session,
    ):
        ((batch, _),) = snapshot.read(schema, ("k",), None, 1000)
        session.create_table(table, CleanMode.DROP)
        rows = without_refused(pair, session, table, batch.select(names), cases)
        session.load(table, rows)
        session.commit()
        loaded = pair.target.read(TABLE)
        check(pair, loaded, cases)
        # The ways of changing rows take another path than loading does.
        session.upsert(table, rows)
        session.commit()
        assert pair.target.read(TABLE) == loaded
        session.update(table, rows.select(["k"]), rows.select(names[1:]))
        session.commit()
        assert pair.target.read(TABLE) == loaded
    if pair.source.case.kind == pair.target.case.kind:
        source, target = pair.source, pair.target
        assert target.case.image(target.database, TABLE) == source.case.image(source.database, TABLE)


def without_refused(
    pair: Pair, session: TargetSession, table: TargetTable, rows: pa.RecordBatch, cases: list[TypeCase]
) -> pa.RecordBatch:
    """The rows with null for every value that the target refuses; each of them is tried by itself."""
    for case in cases:
        refused = case.refused_values.get(pair.target.case.kind, ())
        for number in pair.target.case.refused.get(f"{pair.source.case.kind}.{case.name}", refused):
            with pytest.raises(RowRefused):
                session.load(table, rows.slice(number, 1).select(["k", case.name]))
            session.rollback()
            place = rows.schema.get_field_index(case.name)
            values = rows.column(place).to_pylist()
            values[number] = None
            rows = rows.set_column(place, case.name, pa.array(values, rows.schema.field(place).type))
    return rows


def check(pair: Pair, loaded: list[Row], cases: list[TypeCase]) -> None:
    """The values read back equal the expected ones."""
    read = pair.source.read(TABLE)
    own = columns_of(read, pair.source)
    target = pair.target.case
    source = pair.source.case.kind
    elsewhere = {case.name: case.elsewhere.get(target.kind, own[case.name]) for case in cases}
    elsewhere |= {name: target.received.get(f"{source}.{name}", values) for name, values in elsewhere.items()}
    expected = {case.name: case.elsewhere.get(target.variant, elsewhere[case.name]) for case in cases}
    found = {
        case.name: tuple(row[number + 1] for row in loaded[: len(case.values)]) for number, case in enumerate(cases)
    }
    assert found == expected
    assert [row[0] for row in loaded] == [row[0] for row in read]
    assert all(value is None for value in loaded[-1][1:])
