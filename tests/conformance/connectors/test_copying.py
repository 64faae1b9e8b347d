"""Snapshots are complete and ordered, loads put all of it into the target."""

from dataclasses import replace

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import Place, Row, rows_of
from tests.conformance.connectors.conftest import Pair
from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.raw_rows import LINES
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import PackedSnapshot, RawSnapshot
from zcbus.connectors.roles.sink import raw_load
from zcbus.engine.transform.shaping import Shape
from zcbus.model.states import CleanMode
from zcbus.protocol.transforms import Transform

pytestmark = pytest.mark.server

ITEMS = "id BIGINT NOT NULL, part INT NOT NULL, name VARCHAR(200), amount DECIMAL(12,2), PRIMARY KEY (id, part)"


def fill(place: Place, count: int) -> None:
    """Rows of table items; ids go from negative to positive, so that their text is not in their order."""
    rows = [
        f"({n // 3 - count // 6}, {n % 3}, {'NULL' if n % 7 == 0 else repr(f'row {n}')}, {n}.5)" for n in range(count)
    ]
    for first in range(0, count, 1000):
        place.execute("INSERT INTO items VALUES " + ", ".join(rows[first : first + 1000]))


def test_a_snapshot_can_resume_behind_any_key(place: Place) -> None:
    place.create("items", ITEMS)
    fill(place, 5000)
    if place.case.refresh_statistics:
        place.execute(f"{place.case.refresh_statistics} items")
    schema = place.describe("items")
    with place.connector.source(place.options).open_snapshot() as snapshot:
        estimate = snapshot.estimate(schema)
        place.execute("INSERT INTO items VALUES (99999, 1, 'too late', 0)")
        batches = list(snapshot.read(schema, ("id", "part"), None, 700))
        assert all(batch.num_rows <= 700 for batch, _ in batches)
        rows = [row for batch, _ in batches for row in rows_of(batch)]
        inside = next(n for n, (batch, _) in enumerate(batches) if int(str(rows_of(batch)[-1][1])) < 2)
        middle, behind = batches[inside]  # the next row differs in the key's last column only
        seen = sum(batch.num_rows for batch, _ in batches[: inside + 1])
        assert behind == tuple(str(value) for value in rows_of(middle)[-1][:2])
        rest = [row for batch, _ in snapshot.read(schema, ("id", "part"), behind, 700) for row in rows_of(batch)]
        assert list(snapshot.read(schema, ("id", "part"), batches[-1][1], 700)) == []
    assert len(rows) == 5000
    assert estimate is None or 500 <= estimate <= 50000
    keys = [(int(str(row[0])), int(str(row[1]))) for row in rows]
    assert keys == sorted(keys)
    assert rest == rows[seen:]


def test_a_snapshot_can_be_read_in_key_ranges(place: Place) -> None:
    place.create("items", ITEMS)
    fill(place, 2000)
    schema, key = place.describe("items"), ("id", "part")
    with place.connector.source(place.options).open_snapshot() as snapshot:
        batches = list(snapshot.read(schema, key, None, 300))
        borders = [None, *(last for _, last in batches[:-1]), None]
        for (batch, _), after, until in zip(batches, borders, borders[1:], strict=False):
            between = [row for rows, _ in snapshot.read(schema, key, after, 1000, until) for row in rows_of(rows)]
            assert between == rows_of(batch)


CONDITIONED = """k INT PRIMARY KEY, big BIGINT, money DECIMAL(12,3), name VARCHAR(5), fixed CHAR(5), day DATE,
    moment MOMENT NULL"""
MOMENTS = {"postgresql": "TIMESTAMP(0)", "mysql": "DATETIME"}
CONDITIONS = [
    ("big > 9007199254740993", 1),
    ("big NOT IN (1, 9007199254740993) OR big IS NULL", 3),
    ("money <= 1.5 AND NOT money = 1.4999", 2),
    ("money BETWEEN -3 AND 1.4999", 1),
    ("name = 'abcde'", 1),
    ("name IN ('ABCDE', 'a''\\%s', '李小龙')", 3),
    ("name = 'abcdefgh'", 0),
    ("fixed IN ('x', 'x    ')", 1),
    ("name IS NOT NULL AND length(name) = 5", 3),
    ("day >= '2020-02-29' AND day < DATE '2021-01-01'", 1),
    ("moment > '2020-02-29 12:00:00'", 1),
    ("moment <= TIMESTAMP '2020-02-29 12:00:00' AND k <> 7", 1),
]


def test_a_condition_that_the_source_checks_keeps_what_it_means(place: Place) -> None:
    """The rows that come are among all rows, and those that the evaluating library picks are the same in both."""
    place.create("items", CONDITIONED.replace("MOMENT", MOMENTS[place.case.kind]))
    place.execute(
        "INSERT INTO items VALUES (1, 1, 1.500, 'abcde', 'x', '2020-02-29', '2020-02-29 12:00:00'), "
        "(2, 9007199254740993, -3, 'ABCDE', 'X', '2021-01-01', '2020-02-29 12:00:01'), "
        "(3, 9007199254740994, 99, '李小龙', NULL, '1999-12-31', NULL), (4, -1, 1.501, NULL, 'y', NULL, NULL)"
    )
    with place.case.server.connect(place.database) as connection:
        connection.cursor().execute("INSERT INTO items (k, name) VALUES (5, %s)", ["a'\\%s"])
    schema = place.describe("items")
    with place.connector.source(place.options).open_snapshot() as snapshot:
        (everything,) = [rows for rows, _ in snapshot.read(schema, ("k",), None, 100)]
        for text, count in CONDITIONS:
            shape = Shape(Transform(where=text), schema, ("k",), "")
            assert shape.necessary is not None, text
            came = [rows for rows, _ in snapshot.read(schema, ("k",), ("0",), 100, ("9",), shape.necessary)]
            expected = kept(shape, everything)
            assert [row for rows in came for row in kept(shape, rows)] == expected, text
            assert len(expected) == count, text
            assert sum(rows.num_rows for rows in came) < everything.num_rows, text


def kept(shape: Shape, rows: pa.RecordBatch) -> list[Row]:
    """The rows for which the shape's source condition is true."""
    return [row for row, keep in zip(rows_of(rows), shape.keeps(rows), strict=True) if keep]


def test_raw_rows_pass_unread_or_not_at_all(pair: Pair) -> None:
    pair.source.create("items", ITEMS)
    fill(pair.source, 2500)
    table = pair.target.target_table(pair.source.describe("items"))
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        session.create_table(table, CleanMode.DROP)
        rows = None
        if isinstance(snapshot, RawSnapshot):
            rows = snapshot.raw_rows(table.source_schema, table.source_schema.names, table.key)
        assert raw_load(session, table, "another form") is None
        load = raw_load(session, table, rows.form) if rows is not None else None
        assert (load is not None) == (pair.source.case.kind == pair.target.case.kind == "postgresql")
        if rows is None or load is None:
            return
        pair.source.execute("INSERT INTO items VALUES (99999, 1, 'too late', 0)")
        with rows.another_connection() as other_rows:
            border = rows.border(None, 1000, None)
            assert load(other_rows.read(None, border)) == 1000
            assert rows.border(border, 1501, None) is None
            assert load(other_rows.read(border, None)) == 1500
        session.commit()
    pair.source.execute("DELETE FROM items WHERE id = 99999")
    assert pair.target.read("items") == pair.source.read("items")


ODD = """id BIGINT PRIMARY KEY, flag BOOLEAN, moment TIMESTAMPTZ, plain TIMESTAMP(3), day DATE, data BYTEA, bits BIT(5),
    words TEXT, money NUMERIC(12,2), ratio FLOAT8, doc JSONB, code UUID, fixed CHAR(5)"""
ODD_ROWS = r"""INSERT INTO odd VALUES
    (1, true, '2020-02-29 23:59:59.123456+03', '1969-12-31 23:59:59.125', '0999-01-01', '\x00095c0aff', B'10110',
     E'tab\t line\n return\r back\b feed\f down\v slash\\ \\f \\\f 李', -0.05, 1e300, '{"a": "\\f\"\n"}',
     '0b0e7c34-7a07-4f0e-8d8c-0f7e3a3d2f11', 'a'),
    (2, false, NULL, NULL, NULL, '', B'00000', '', 0, -0.5, '[]', NULL, ''),
    (3, NULL, '1999-01-01 00:00:00Z', NULL, '2024-02-29', NULL, NULL, E'\\N', NULL, NULL, NULL, NULL, NULL)"""


PLAIN = """id INTEGER, flag BOOLEAN, words VARCHAR(50), money NUMERIC(12,2), ratio FLOAT8, day DATE, at TIMESTAMP(6),
    moment TIMESTAMPTZ, PRIMARY KEY (id, flag)"""
PLAIN_ROWS = r"""INSERT INTO plain VALUES
    (1, true, E'tab\t line\n \f slash\\ \\f 李 😀', -0.05, 1e300, '0999-01-01', '1969-12-31 23:59:59.125',
     '2020-02-29 23:59:59.123456+03'),
    (1, false, '', 0, -0.5, NULL, NULL, NULL),
    (2, true, E'\\N', NULL, NULL, '2024-02-29', NULL, '1999-01-01 00:00:00Z')"""


@pytest.mark.wide
@pytest.mark.parametrize(("name", "definition", "rows"), [("odd", ODD, ODD_ROWS), ("plain", PLAIN, PLAIN_ROWS)])
def test_lines_become_what_columns_become(pair: Pair, name: str, definition: str, rows: str) -> None:
    if (pair.source.case.kind, pair.target.case.kind) != ("postgresql", "mysql"):
        return
    pair.source.create(name, definition)
    pair.source.execute(rows)
    table = pair.target.target_table(pair.source.describe(name))
    found = []
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        for unread in (True, False):
            session.create_table(table, CleanMode.DROP)
            if unread:
                assert isinstance(snapshot, RawSnapshot)
                lines = snapshot.text_rows(table.source_schema, table.source_schema.names, table.key)
                load = raw_load(session, table, lines.form) if lines is not None else None
                assert lines is not None
                assert load is not None
                assert load(lines.read(None, None)) == 3
            else:
                for batch, _ in snapshot.read(table.source_schema, table.key, None, 1000):
                    session.load(table, batch)
            session.commit()
            found.append(pair.target.read(name))
    assert found[0] == found[1]
    assert len(found[0]) == 3


ODD_OF_MYSQL = """id BIGINT PRIMARY KEY, words TEXT, long_words LONGTEXT, money DECIMAL(12,2), ratio DOUBLE,
    moment TIMESTAMP NULL, plain DATETIME(3), day DATE, span TIME, doc JSON, one ENUM('a', 'b\\tc'), some SET('x', 'y'),
    filled INT(5) ZEROFILL, year YEAR, flag TINYINT(1), latin VARCHAR(20) CHARACTER SET latin1"""
ODD_ROWS_OF_MYSQL = r"""INSERT INTO odd VALUES
    (1, 'tab\t line\n return\r back\b feed\f slash\\ \\f \\\f 李', REPEAT('长\n', 30000), -0.05, 1e300,
     '2020-02-29 23:59:59', '1969-12-31 23:59:59.125', '0999-01-01', '-12:00:01', '{"a": "\\"\\n"}', 'b\tc', 'x,y', 42,
     1999, 1, 'é'),
    (2, '', REPEAT('y', 251), 0, -0.5, NULL, NULL, NULL, NULL, NULL, NULL, '', 0, NULL, 0, ''),
    (3, '\\N', NULL, NULL, NULL, '1999-01-01 00:00:00', NULL, '2024-02-29',
     NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"""


def test_packed_rows_become_what_columns_become(pair: Pair) -> None:
    if pair.source.case.kind != "mysql" or pair.target.case.kind not in ("mysql", "postgresql"):
        return
    pair.source.create("odd", ODD_OF_MYSQL)
    pair.source.execute(ODD_ROWS_OF_MYSQL)
    table = pair.target.target_table(pair.source.describe("odd"))
    found = []
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        for as_packed in (True, False):
            session.create_table(table, CleanMode.DROP)
            if as_packed:
                assert isinstance(snapshot, PackedSnapshot)
                packed = snapshot.packed_rows(table.source_schema, table.source_schema.names, table.key)
                load = raw_load(session, table, LINES)
                assert packed is not None
                assert load is not None
                for place, (part, key) in enumerate(packed.read(None, 2, None)):
                    assert key == (("2",), ("3",))[place]
                    assert load(part.lines()) == 2 - place
            else:
                for batch, _ in snapshot.read(table.source_schema, table.key, None, 1000):
                    session.load(table, batch)
            session.commit()
            found.append(pair.target.read("odd"))
    assert found[0] == found[1]
    assert len(found[0]) == 3


def test_zero_dates_in_packed_rows_are_refused(pair: Pair) -> None:
    if (pair.source.case.kind, pair.target.case.kind) != ("mysql", "postgresql"):
        return
    pair.source.create("odd", "id BIGINT PRIMARY KEY, day DATE")
    pair.source.execute("INSERT INTO odd VALUES (1, '0000-00-00')")
    table = pair.target.target_table(pair.source.describe("odd"))
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        session.create_table(table, CleanMode.DROP)
        assert isinstance(snapshot, PackedSnapshot)
        packed, load = (
            snapshot.packed_rows(table.source_schema, ["id", "day"], ("id",)),
            raw_load(session, table, LINES),
        )
        assert packed is not None
        assert load is not None
        [(part, _)] = packed.read(None, 10, None)
        with pytest.raises(RowRefused):
            load(part.lines())


def test_lines_that_only_columns_can_express_are_refused(pair: Pair) -> None:
    if (pair.source.case.kind, pair.target.case.kind) != ("postgresql", "mysql"):
        return
    pair.source.create("odd", ODD)
    pair.source.execute("INSERT INTO odd (id, day) VALUES (1, 'infinity')")
    table = pair.target.target_table(pair.source.describe("odd"))
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        session.create_table(table, CleanMode.DROP)
        assert isinstance(snapshot, RawSnapshot)
        rows = snapshot.text_rows(table.source_schema, table.source_schema.names, table.key)
        load = raw_load(session, table, rows.form) if rows is not None else None
        assert rows is not None
        assert load is not None
        with pytest.raises(RowRefused):
            load(rows.read(None, None))


@pytest.mark.every_case
def test_loaded_rows_equal_the_snapshot(pair: Pair) -> None:
    pair.source.create("items", ITEMS)
    fill(pair.source, 3000)
    table = pair.target.target_table(pair.source.describe("items"))
    notes = pair.target.connector.target(pair.target.options).map_columns(table.source_schema, table.key)
    assert [note.column for note in notes] == ["id", "part", "name", "amount"]
    assert not any(note.blocking for note in notes)
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        assert session.describe([table.name]) == {}
        session.create_table(table, CleanMode.DROP)
        nowhere = replace(table.name, table="nowhere")
        found = session.describe([table.name, nowhere])
        for batch, _ in snapshot.read(table.source_schema, table.key, None, 1000):
            session.load(table, batch)
            session.commit()
    assert {name: schema.primary_key for name, schema in found.items()} == {table.name: ("id", "part")}
    assert pair.target.read("items") == pair.source.read("items")


@pytest.mark.wide
@pytest.mark.soak(but=["postgresql-to-*", "mysql-to-mysql-*"])
@pytest.mark.parametrize("clean", list(CleanMode))
def test_cleaning_before_a_load(pair: Pair, clean: CleanMode) -> None:
    pair.source.create("items", ITEMS)
    fill(pair.source, 10)
    rows = pair.source.read("items")
    table = pair.target.target_table(pair.source.describe("items"))
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        ((batch, _),) = snapshot.read(table.source_schema, table.key, None, 1000)
        session.create_table(table, clean)
        session.create_table(table, clean)
        session.load(table, batch)
        session.commit()
        assert pair.target.read("items") == rows
        session.create_table(table, clean)
        session.commit()
    remaining: list[Row] = rows if clean == CleanMode.NONE else []
    assert pair.target.read("items") == remaining


def test_names_that_need_quoting(pair: Pair) -> None:
    pair.source.create("plain", "id INT NOT NULL, PRIMARY KEY (id)")
    pair.source.execute("INSERT INTO plain VALUES (1), (2)")
    source = pair.source.describe("plain")
    table = pair.target.target_table(source)
    odd = pair.target.case.odd_name
    column = table.columns[0]
    renamed = type(table)(
        type(table.name)(table.name.schema, odd),
        (type(column)(column.source, odd, column.type, column.nullable),),
        (odd,),
        source,
    )
    with (
        pair.source.connector.source(pair.source.options).open_snapshot() as snapshot,
        pair.target.connector.target(pair.target.options).open() as session,
    ):
        session.create_table(renamed, CleanMode.DROP)
        for batch, _ in snapshot.read(source, ("id",), None, 10):
            session.load(renamed, batch)
            session.upsert(renamed, batch)
            assert session.delete(renamed, batch.slice(0, 1)) in (1, None)
        session.commit()
    assert pair.target.read(odd) == [("2",)]


def test_rows_without_a_key_are_added_and_exchanged_as_they_are(pair: Pair) -> None:
    pair.source.create("items", ITEMS.replace(", PRIMARY KEY (id, part)", ""))
    fill(pair.source, 500)
    fill(pair.source, 500)
    schema = pair.source.describe("items")
    target = pair.target.target_table(schema)
    shadow = replace(target, name=pair.target.name("shadow"))
    with pair.source.connector.source(pair.source.options).open_snapshot() as snapshot:
        rows = [batch for batch, _ in snapshot.read(schema, (), None, 300)]
    with pair.target.connector.target(pair.target.options).open() as session:
        if spec_of(pair.target.case.kind).capabilities.needs_key:
            with pytest.raises(TableRefused):
                session.create_table(target, CleanMode.NONE, for_load=True)
            return
        session.create_table(target, CleanMode.NONE, for_load=True)
        for batch in rows:
            session.load(target, batch)
        session.commit()
        session.complete_table(target)
        session.commit()
        assert counted(pair.target) == 1000
        session.create_table(target, CleanMode.TRUNCATE)
        assert counted(pair.target) == 0
        session.load(target, rows[0])
        session.commit()
        session.create_shadow_table(target, shadow.name)
        for batch in rows:
            session.load(shadow, batch)
        session.apply_shadow_table(target, shadow.name)
        session.commit()
    assert counted(pair.target) == 1000
    assert sorted(pair.target.read("items"), key=repr) == sorted(pair.source.read("items"), key=repr)


def counted(place: Place) -> int:
    return len(place.read("items"))
