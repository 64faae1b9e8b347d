"""The three ways to read two tables find the same rows: by the server's sums, by the bytes of rows, by values."""

import threading
from contextlib import ExitStack

import pytest
from tests.servers.base import Server

from zcbus.engine.comparison.merge import Findings
from zcbus.engine.comparison.sides import SourceSide, TargetSide, plan
from zcbus.engine.comparison.walk import Walk
from zcbus.engine.connections import registered
from zcbus.engine.subscribe.schema.mapping import map_table
from zcbus.engine.transform.shapes import Shapes
from zcbus.model.schema import TableName
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import SubscribedTable

pytestmark = pytest.mark.server

SPARSE = "CREATE TABLE t (id bigint, part text, v numeric, d jsonb, PRIMARY KEY (id, part))"
FILL_SPARSE = """INSERT INTO t SELECT i * 7 - 30000, 'p' || i % 3, i / 10.0, '{"a": 1.0}'
    FROM generate_series(1, 40000) i"""
WORDS = "CREATE TABLE t (word varchar(40) PRIMARY KEY, v integer, d json)"
FILL_WORDS = "INSERT INTO t SELECT 'w' || i, i, '{\"a\": 1}' FROM generate_series(1, 9000) i"


@pytest.fixture
def walks(postgres_server: Server) -> "Walks":
    return Walks(postgres_server)


class Walks:
    """Two databases with a table `t`."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.source, self.target = server.fresh_database(), server.fresh_database()

    def on_both(self, *statements: str) -> None:
        for statement in statements:
            self.server.execute(statement, self.source)
            self.on_target(statement)

    def on_target(self, statement: str) -> None:
        self.server.execute(statement, self.target)

    def walk(self, strict: bool = False) -> tuple[Findings, set[tuple[str, ...]]]:
        connector, name = registered(self.server.kind), TableName("public", "t")
        here, there = self.server.options(self.source), self.server.options(self.target)
        with ExitStack() as open_:
            schema = open_.enter_context(connector.discoverer(here)).describe([name])[0]
            existing = open_.enter_context(connector.discoverer(there)).describe([name])[0]
            place = TableRef(schema_name="public", table="t")
            task = SubscribedTable(id="t", published="t", source=place, target=place)
            mapped = map_table(task, schema, schema.primary_key, Shapes(""))
            planned = plan(mapped, schema.primary_key, schema, existing, connector.target(there), strict=strict)
            source = SourceSide(planned, open_.enter_context(connector.reader(here, "source")))
            target = TargetSide(planned, open_.enter_context(connector.reader(there, "target")))
            walk = Walk(planned, source, target, threading.Event(), lambda _: None, strict=strict)
            walk.run()
            assert len(set(walk.keys)) == len(walk.keys)
            return walk.findings, set(walk.keys)


def test_sums_find_what_differs_before_between_and_behind_the_keys_of_the_source(walks: Walks) -> None:
    walks.on_both(SPARSE, FILL_SPARSE, "ANALYZE t")
    assert walks.walk() == (Findings(compared=40_000), set())
    walks.on_target("UPDATE t SET v = 0 WHERE id = 7 * 4500 - 30000")
    walks.on_target("DELETE FROM t WHERE id < -29990")
    walks.on_target("INSERT INTO t VALUES (-9223372036854775808, 'a'), (9223372036854775807, 'b'), (1, 'c')")
    # The same values in another spelling, and keys that are only in part the same.
    walks.on_target("UPDATE t SET v = v::numeric(20, 9), d = '{\"a\":1}' WHERE id < -20000")
    walks.on_target("UPDATE t SET part = 'x' WHERE id = 7 * 40000 - 30000")
    found, keys = walks.walk()
    assert keys == {
        ("1500", "p0"),
        ("-29993", "p1"),
        ("-9223372036854775808", "a"),
        ("9223372036854775807", "b"),
        ("1", "c"),
        ("250000", "p1"),
        ("250000", "x"),
    }
    assert (found.compared, found.missing, found.extra, found.different) == (39_998, 2, 4, 1)
    strictly, strict_keys = walks.walk(strict=True)
    assert (strictly.missing, strictly.extra) == (2, 4)
    assert strict_keys > keys


def test_bytes_of_rows_find_what_differs_and_values_where_much_does(walks: Walks) -> None:
    walks.on_both(WORDS, FILL_WORDS)
    assert walks.walk() == (Findings(compared=9000), set())
    walks.on_target("DELETE FROM t WHERE word IN ('w1', 'w7777')")
    walks.on_target("UPDATE t SET v = NULL WHERE word = 'w500'")
    walks.on_target("INSERT INTO t VALUES ('', 1)")
    expected = {("w1",), ("w7777",), ("w500",), ("",)}
    assert walks.walk() == (Findings(compared=8998, missing=2, extra=1, different=1), expected)
    walks.on_target("UPDATE t SET d = '{\"a\":1.0}'")
    assert walks.walk() == (Findings(compared=8998, missing=2, extra=1, different=1), expected)


def test_empty_tables_are_equal(walks: Walks) -> None:
    walks.on_both(SPARSE)
    assert walks.walk() == (Findings(), set())
    walks.on_target("INSERT INTO t VALUES (5, 'a')")
    assert walks.walk() == (Findings(extra=1), {("5", "a")})
