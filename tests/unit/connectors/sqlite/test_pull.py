"""SQLite's puller does not block writers while it returns rows."""

import sqlite3

import pytest
from tests.servers.sqlite import SQLiteFolder

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.sqlite.pull import SQLitePuller
from zcbus.model.schema import TableName

NAME = TableName("main", "t")


@pytest.fixture
def folder(sqlite_folder: SQLiteFolder) -> SQLiteFolder:
    return sqlite_folder


def test_others_write_between_batches_into_a_file_without_a_write_ahead_log(folder: SQLiteFolder) -> None:
    file = folder.fresh_database("pull")
    folder.execute("CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, updated_at INTEGER NOT NULL)", file)
    folder.execute("INSERT INTO t SELECT value, value FROM json_each('[1, 2, 3, 4, 5]')", file)
    with SQLitePuller(folder.options(file)) as puller:
        (schema,) = puller.table_schemas([NAME])
        batches = puller.pull(schema, "updated_at", None, 2)
        first, _ = next(batches)
        writer = sqlite3.connect(folder.folder / file, timeout=0)
        writer.execute("UPDATE t SET updated_at = 9 WHERE id = 2")
        writer.commit()
        writer.close()
        rest = [value for batch, _ in batches for value in batch.column(0).to_pylist()]
    assert (first.column(0).to_pylist(), rest) == (["1", "2"], ["3", "4", "5", "2"])


@pytest.mark.parametrize("value", ["x'00'", "9e999"])
def test_watermarks_that_are_no_texts_or_numbers_stop_the_table(folder: SQLiteFolder, value: str) -> None:
    file = folder.fresh_database("pull")
    folder.execute("CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, updated_at ANY NOT NULL)", file)
    folder.execute(f"INSERT INTO t VALUES (1, {value})", file)
    with SQLitePuller(folder.options(file)) as puller:
        (schema,) = puller.table_schemas([NAME])
        with pytest.raises(TableRefused):
            list(puller.pull(schema, puller.watermark(schema), None, 10))


def test_texts_are_ordered_by_their_bytes_whatever_the_column_compares_by(folder: SQLiteFolder) -> None:
    file = folder.fresh_database("pull")
    folder.execute(
        "CREATE TABLE t (id INTEGER NOT NULL UNIQUE, updated_at TEXT NOT NULL COLLATE NOCASE);"
        "INSERT INTO t VALUES (1, 'A'), (2, 'a'), (3, 'B'), (4, '中')",
        file,
    )
    with SQLitePuller(folder.options(file)) as puller:
        (schema,) = puller.table_schemas([NAME])
        found = [(batch.column(0).to_pylist(), mark) for batch, mark in puller.pull(schema, "updated_at", None, 1)]
        behind = [batch.column(0).to_pylist() for batch, _ in puller.pull(schema, "updated_at", '"A"', 10)]
        assert puller.newest(schema, "updated_at", 1) == '"a"'
    assert found == [(["1"], '"A"'), (["3"], '"B"'), (["2"], '"a"'), (["4"], '"中"')]
    assert behind == [["3", "2", "4"]]
