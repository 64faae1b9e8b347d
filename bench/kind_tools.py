"""What each kind itself offers to add many rows at once."""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pyarrow as pa
from confluent_kafka import Producer
from deltalake import write_deltalake
from pyarrow import ipc, parquet
from pyiceberg.catalog.sql import SqlCatalog

from bench.timing import seconds

_BATCH = 250_000
"""Rows of a file: about as many as a load of ours writes at once."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A peer: seconds in which it adds rows with typed columns to a new table of a database."""

    name: str
    add: Callable[[Any, str, pa.Table, str], float]
    """With the server, the database, the rows, and a folder for files."""


def _duckdb(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    path = Path(folder) / "rows.parquet"
    parquet.write_table(rows, path)
    with duckdb.connect(Path(folder) / database) as connection:
        columns = "id BIGINT PRIMARY KEY, price DECIMAL(12,2), status VARCHAR, note VARCHAR, made TIMESTAMP"
        connection.execute(f"CREATE TABLE orders ({columns})")
        return seconds(lambda: connection.execute(f"COPY orders FROM '{path}'"))


def _delta(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    return seconds(lambda: write_deltalake(server.path(database, "orders"), rows, mode="append"))


def _iceberg(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    place = Path(folder) / database
    place.mkdir()
    catalogue = SqlCatalog("bench", uri=f"sqlite:///{place}/catalog.db", warehouse=f"file://{place}")
    catalogue.create_namespace("bench")
    table = catalogue.create_table("bench.orders", rows.schema)
    return seconds(lambda: table.append(rows))


def _parquet(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    """Files of as many rows, each on the disk before the next."""
    place = Path(folder) / database
    place.mkdir()

    def work() -> None:
        for begin in range(0, len(rows), _BATCH):
            path = place / f"{begin}.parquet"
            parquet.write_table(rows.slice(begin, _BATCH), path, compression="zstd")
            with path.open("rb") as file:
                os.fsync(file.fileno())

    return seconds(work)


def _objects(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    """Objects of as many rows, each there before the next."""

    def work() -> None:
        for begin in range(0, len(rows), _BATCH):
            out = io.BytesIO()
            parquet.write_table(rows.slice(begin, _BATCH), out, compression="zstd")
            server.server.put(f"{database}/{begin}.parquet", out.getvalue())

    return seconds(work)


def _clickhouse(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    """What the client sends for `INSERT … FORMAT ArrowStream`."""
    columns = "id Int64, price Decimal(12,2), status String, note Nullable(String), made DateTime64(6)"
    server.ask(f"CREATE TABLE orders ({columns}) ENGINE = MergeTree ORDER BY id", database)
    out = io.BytesIO()
    with ipc.new_stream(out, rows.schema) as stream:
        stream.write_table(rows)
    asked = {"database": database, "query": "INSERT INTO orders FORMAT ArrowStream"}

    def work() -> None:
        answer = server.client.post("/", params=asked, content=out.getvalue())
        assert answer.status_code == 200, answer.text

    return seconds(work)


def _kafka(server: Any, database: str, rows: pa.Table, folder: str) -> float:
    """What kcat does: messages that are made already, by librdkafka."""
    messages = [(str(row["id"]).encode(), orjson.dumps(row, default=str)) for row in rows.to_pylist()]
    topic = f"{database}.plain"
    server.create(topic)
    producer = Producer({"bootstrap.servers": server.broker.servers(), "acks": "all", "compression.type": "lz4"})

    def work() -> None:
        for key, value in messages:
            while True:
                try:
                    producer.produce(topic, value, key)
                    break
                except BufferError:
                    producer.poll(0.05)
        assert producer.flush(120) == 0

    return seconds(work)


TOOLS = {
    "duckdb": Tool("COPY of a Parquet file", _duckdb),
    "delta": Tool("deltalake append", _delta),
    "iceberg": Tool("pyiceberg append", _iceberg),
    "localfiles": Tool("pyarrow Parquet files, synced", _parquet),
    "s3": Tool("pyarrow Parquet objects, by obstore", _objects),
    "clickhouse": Tool("INSERT FORMAT ArrowStream", _clickhouse),
    "kafka": Tool("librdkafka, plain messages", _kafka),
}
"""By kind."""
