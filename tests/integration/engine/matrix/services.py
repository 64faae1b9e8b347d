"""A service over HTTP, and databases without SQL of ours: of documents, of rows by key, of columns."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bson import ObjectId
from pymongo import ReplaceOne
from tests.integration.engine.matrix.rows import COLUMNS, Row, Rows, texts
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Run

from zcbus.kit.clock import now_ms


class MongoDBOrigin(Origin):
    """Times are of UTC there."""

    kind, server = "mongodb", "mongodb_server"
    key = ("_id",)

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        declared = "id bigint, name text, amount decimal(12,2), made timestamptz, updatedAt timestamptz"
        return lambda database: replace(options(database), columns=f"{TABLE}: {declared}")

    def make(self, run: Run) -> None:
        with run.source.database(run.source_database) as database:
            database.create_collection(TABLE)
        run.tables[TABLE] = {}

    def insert(self, run: Run, rows: Rows) -> None:
        writes = [ReplaceOne({"_id": _key(row)}, _document(row), upsert=True) for row in rows.values()]
        with run.source.database(run.source_database) as database:
            database[TABLE].bulk_write(writes)

    def update(self, run: Run, rows: Rows) -> None:
        self.insert(run, rows)


def _key(row: Row) -> ObjectId:
    return ObjectId(f"{row.id:024x}")


def _document(row: Row) -> dict[str, Any]:
    """The server of the tests has no decimals: a double of so few digits is exact."""
    made = None if row.made is None else row.made.replace(tzinfo=UTC)
    amount = None if row.amount is None else float(row.amount)
    return {
        "_id": _key(row),
        "id": row.id,
        "name": row.name,
        "amount": amount,
        "made": made,
        "updatedAt": datetime.now(UTC),
    }


class OpenSearchOrigin(Origin):
    """Times are of UTC there. The key of a row is its document's id."""

    kind, server = "opensearch", "opensearch_server"
    key = ("_id",)

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        declared = "id bigint, name text, amount decimal(12,2), made timestamptz, updatedAt timestamptz"
        return lambda database: replace(options(database), columns=f"{TABLE}: {declared}")

    def make(self, run: Run) -> None:
        fields = {"made": {"type": "date"}, "updatedAt": {"type": "date"}}
        place = f"/{run.source_database}{TABLE}"
        run.source.client.put(place, json={"mappings": {"properties": fields}}).raise_for_status()
        run.tables[TABLE] = {}

    def insert(self, run: Run, rows: Rows) -> None:
        lines = [
            line
            for row in rows.values()
            for line in ({"index": {"_id": str(row.id)}}, {**texts(row), "updatedAt": now_ms()})
        ]
        run.source.send(f"/{run.source_database}{TABLE}/_bulk", lines)

    def update(self, run: Run, rows: Rows) -> None:
        self.insert(run, rows)


class CassandraOrigin(Origin):
    """Times are of UTC there."""

    kind, server = "cassandra", "cassandra_server"

    def make(self, run: Run) -> None:
        columns = "id int PRIMARY KEY, name text, amount decimal, made timestamp, updated_at timestamp"
        run.source.rows_of(f"CREATE TABLE {TABLE} ({columns})", run.source_database)
        run.tables[TABLE] = {}

    def insert(self, run: Run, rows: Rows) -> None:
        names = ", ".join(COLUMNS)
        with run.source.session(run.source_database) as session:
            insert = session.prepare(
                f"INSERT INTO {TABLE} ({names}, updated_at) VALUES (?, ?, ?, ?, toTimestamp(now()))"
            )
            for future in [session.execute_async(insert, tuple(row)) for row in rows.values()]:
                future.result()

    def update(self, run: Run, rows: Rows) -> None:
        self.insert(run, rows)


class _Read(Destination):
    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        found: list[dict[str, Any]] = run.target.rows(run.target_database, TABLE)
        return found


class HttpDestination(_Read):
    """A receiver of events, which keeps their rows."""

    kind, server = "http", "http_receiver"


class OpenSearchDestination(_Read):
    kind, server = "opensearch", "opensearch_server"


class ClickHouseDestination(_Read):
    kind, server = "clickhouse", "clickhouse_server"


class MongoDBDestination(_Read):
    kind, server = "mongodb", "mongodb_server"


class CassandraDestination(_Read):
    kind, server = "cassandra", "cassandra_server"


class RedisDestination(Destination):
    """A hash for each row."""

    kind, server = "redis", "valkey_server"

    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        with run.target.client(run.target_database) as client:
            # One that is deleted meanwhile has no fields.
            return [row for name in client.keys(f"{TABLE}:*") if (row := client.hgetall(name))]
