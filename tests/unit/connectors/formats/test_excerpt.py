"""The first rows of Parquet files and workbooks, as they are."""

import base64
import datetime as dt
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.connectors.formats.test_workbook import XLS, open_document, workbook

from zcbus.connectors.formats.tabular import SampleColumn, excerpt


def file_of(tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "data"
    path.write_bytes(content)
    return str(path)


def test_parquet_has_its_types_and_no_more_rows_and_columns_than_asked_for(tmp_path: Path) -> None:
    path = str(tmp_path / "data")
    table = pa.table(
        {
            "id": [1, 2, 3],
            "price": pa.array([None, "1.5", "2.25"], pa.string()).cast(pa.decimal128(5, 2)),
            "raw": [b"\x01\xff", b"", b"x" * 200],
            "tags": [["a"], [], None],
        }
    )
    parquet.write_table(table, path)
    found = excerpt(path, "", 2, 3)
    assert found.columns == [
        SampleColumn("id", "bigint"),
        SampleColumn("price", "decimal(5,2)"),
        SampleColumn("raw", "bytes"),
    ]
    assert (found.kind, found.total_columns, found.total_rows) == ("parquet", 4, 3)
    assert found.rows == [(1, ["1", None, "01ff"]), (2, ["2", "1.50", ""])]
    whole = excerpt(path, "", 10, 10)
    assert [row[3] for _, row in whole.rows] == ['["a"]', "[]", None]
    long = whole.rows[2][1][2]
    assert long is not None
    assert (len(long), long[-1]) == (201, "…")


def test_sheets_keep_the_places_of_their_cells(tmp_path: Path) -> None:
    def fill(book: Any) -> None:
        first, second = book.add_worksheet("一"), book.add_worksheet("Second")
        first.write_row(2, 26, ["Orders", "", 7])
        first.write(4, 28, dt.date(2026, 5, 6), book.add_format({"num_format": "yyyy-mm-dd"}))
        second.write_row(0, 0, range(5))

    path = file_of(tmp_path, workbook(fill))
    found = excerpt(path, "", 10, 10)
    assert (found.sheets, found.sheet, found.total_columns, found.total_rows) == (["一", "Second"], "一", 3, 5)
    assert [one.name for one in found.columns] == ["AA", "AB", "AC"]
    assert found.rows == [(3, ["Orders", None, "7"]), (5, [None, None, "2026-05-06"])]
    second = excerpt(path, "Second", 10, 2)
    assert (second.total_columns, second.rows) == (5, [(1, ["0", "1"])])
    with pytest.raises(ValueError, match="no sheet 'Third', but 一, Second"):
        excerpt(path, "Third", 10, 10)


def test_workbooks_of_other_programs(tmp_path: Path) -> None:
    old = excerpt(file_of(tmp_path, zlib.decompress(base64.b85decode(XLS))), "", 10, 10)
    assert old.rows[1][1] == ["7", "2.5", "true", "2026-05-06 07:08:09"]
    document = excerpt(file_of(tmp_path, open_document()), "", 10, 10)
    assert (document.sheet, document.rows[0][1]) == ("A", ["id", "at"])


@pytest.mark.parametrize("data", [b"", b"id,name", b"PAR1 and no more", b"PK\x03\x04 and no more", b"\xd0\xcf\x11\xe0"])
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        excerpt(file_of(tmp_path, data), "", 10, 10)
