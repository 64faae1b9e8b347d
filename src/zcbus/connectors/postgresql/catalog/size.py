"""The relation that a table's rows are read from, and an estimate of their number."""

import json

from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.model.schema import TableSchema


def rows_of(wire: WireConnection, table: TableSchema) -> str:
    """For FROM: a partitioned table with its partitions, an ordinary one without the tables that inherit from it."""
    name = quote.literal(quote.table(table.name))
    statement = f"SELECT relkind = 'p' FROM pg_class WHERE oid = {name}::regclass"
    partitioned = wire.query(statement) == [("t",)]
    return quote.table(table.name) if partitioned else f"ONLY {quote.table(table.name)}"


def estimated_rows(wire: WireConnection, table: TableSchema) -> int:
    """From the planner, who sees how large the table is by now."""
    rows = wire.query(f"EXPLAIN (FORMAT JSON) SELECT FROM {rows_of(wire, table)}")
    plan = json.loads("\n".join(row[0] or "" for row in rows))
    return int(plan[0]["Plan"]["Plan Rows"])
