"""A full disk is called a full disk, and the work is tried again."""

import errno
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pymysql
import pytest
from redis.exceptions import ResponseError

from zcbus.connectors.duckdb import connection as duckdb_connection
from zcbus.connectors.errors import SourceFull, TargetFull, TargetUnavailable
from zcbus.connectors.lakes import place as lakes
from zcbus.connectors.mysql.connection import errors as mysql
from zcbus.connectors.options import Document, parse
from zcbus.connectors.postgresql.connection import errors as postgresql
from zcbus.connectors.redis import connection as redis
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import Side
from zcbus.connectors.sqlite.connection import translated
from zcbus.kit.errors import TransientError

SERVER: Document = {"host": "db", "port": 1, "user": "u", "database": "d"}


@pytest.mark.parametrize(("side", "expected"), [("source", SourceFull), ("target", TargetFull)])
def test_servers_that_say_that_they_have_no_room(side: Side, expected: type[TransientError]) -> None:
    postgres = parse(spec_of("postgresql").model, SERVER)
    found = [postgresql.translate(psycopg.errors.DiskFull("could not extend file"), postgres, side, "t")]
    maria: Any = parse(spec_of("mysql").model, SERVER)
    for number, detail in ((1021, "Disk full (/tmp)"), (1114, "The table 't' is full")):
        found.append(mysql.translate(pymysql.err.OperationalError(number, detail), maria, side, "t"))
    assert [type(error) for error in found] == [expected] * 3
    assert found[0].facts["detail"] == "could not extend file"


def test_a_file_that_cannot_grow(tmp_path: Path) -> None:
    options = parse(spec_of("sqlite").model, {"file": "full.db"}, tenant="t")
    database = sqlite3.connect(tmp_path / "full.db", isolation_level=None)
    database.execute("CREATE TABLE t (v BLOB)")
    database.execute("PRAGMA max_page_count = 3")
    with pytest.raises(TargetFull), translated(options, "target", "t"):
        database.execute("INSERT INTO t VALUES (zeroblob(100000))")
    database.close()
    with pytest.raises(SourceFull), translated(options, "source", "t"):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_texts_that_libraries_quote() -> None:
    lake = parse(spec_of("iceberg").model, {"folder": "lake", "namespace": "n"}, tenant="t")
    said = "Generic LocalFileSystem error: Unable to copy data to file: No space left on device (os error 28)"
    assert type(lakes.unavailable(lake, said)) is TargetFull
    assert type(lakes.unavailable(lake, "no answer")) is TargetUnavailable
    stored = parse(spec_of("redis").model, {"host": "h"})
    misconf = ResponseError("MISCONF Errors writing to the AOF file: No space left on device")
    assert type(redis.translate(misconf, stored)) is TargetFull
    file = parse(spec_of("duckdb").model, {"file": "d.duckdb"}, tenant="t")
    with pytest.raises(TargetFull), duckdb_connection.translated(file, "target", "t"):
        raise duckdb.IOException('IO Error: Could not write file "d.duckdb": No space left on device')
