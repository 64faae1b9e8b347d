"""A subscriber's writes carry their origin to a capture of the same database."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import Place
from tests.conformance.connectors.replay import read_until
from tests.conformance.connectors.test_changes import END, NODE, create, ended
from zcbus.connectors.errors import RowRefused
from zcbus.model.changes import ChangeFrame, Operation
from zcbus.model.origin import Origin
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server

FAR: Origin = ("postgresql:1:2/public/订单*/ \"'", "mysql:x/shop/orders")
NEAR: Origin = ("mariadb:y/shop/orders",)


def rows(*ids: int) -> pa.RecordBatch:
    texts = [str(one) for one in ids]
    return pa.RecordBatch.from_pydict({"id": texts, "name": texts, "amount": ["1.00"] * len(ids)})


def origins(frames: Sequence[ChangeFrame]) -> list[tuple[str, str | None, Origin]]:
    """Operation, id and origin of each change of `items`, in log order."""
    found = []
    for number, frame in enumerate(frames):
        for table in (one for one in frame.tables if one.schema.name.table == "items"):
            ids = table.rows.column("id").to_pylist()
            for place, order in enumerate(table.order.to_pylist()):
                operation = Operation(table.operations[place].as_py()).name
                found.append((number, order, (operation, ids[place], table.origin)))
    return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])]


def test_changes_carry_their_origin(place: Place) -> None:
    captured = create(place)
    items = place.target_table(place.describe("items"))
    source = place.connector.source(place.options)
    with place.connector.target(place.options).open() as session:
        session.prepare_store()
        assert session.identity == source.identity()
        start = source.prepare(NODE, captured)
        with source.open_changes(NODE, captured, start) as stream:
            place.execute("INSERT INTO items VALUES (1, 'made here', 0)")
            session.load(replace(items, origin=FAR), rows(2, 3))
            session.load(items, rows(4))
            session.load(replace(items, origin=NEAR), rows(5))
            session.commit()
            session.load(items, rows(6))
            with contextlib.suppress(RowRefused), session.savepoint():
                session.load(replace(items, origin=NEAR), rows(6))
            session.load(replace(items, origin=NEAR), rows(7))
            session.commit()
            session.load(replace(items, origin=NEAR), rows(8))
            session.rollback()
            for one, origin in ((9, NEAR), (10, FAR)):
                # Not by `load`: this may make a subtransaction of its own.
                session.add(replace(items, origin=origin), rows(one))
            session.commit()
            session.create_table(replace(items, origin=FAR), CleanMode.ONLY_TRUNCATE)
            place.execute(END)
            frames, _ = read_until(stream, ended)
    expected: list[tuple[str, str | None, Origin]] = [
        ("INSERT", "1", ()),
        ("INSERT", "2", FAR),
        ("INSERT", "3", FAR),
        ("INSERT", "4", ()),
        ("INSERT", "5", NEAR),
        ("INSERT", "6", ()),
        ("INSERT", "7", NEAR),
        ("INSERT", "9", NEAR),
        ("INSERT", "10", FAR),
        ("TRUNCATE", None, FAR),
        ("INSERT", "1000000", ()),
    ]
    if not _logs_origins(place):
        expected = [(operation, key, ()) for operation, key, _ in expected]
    assert origins(frames) == expected


def _logs_origins(place: Place) -> bool:
    """PostgreSQL before 14 does not hand marks on."""
    if place.case.kind != "postgresql":
        return True
    return int(place.case.server.rows("SHOW server_version_num", place.database)[0][0]) >= 140000
