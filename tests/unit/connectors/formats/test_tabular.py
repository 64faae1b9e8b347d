"""Files as data for a table: types by values, places of malformed records, values in the forms that a table wants."""

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import xlsxwriter
from pyarrow import parquet

from zcbus.connectors.formats.declared import data_type
from zcbus.connectors.formats.tabular import Converted, FileForm, Wanted, convert, sample
from zcbus.model.types import DataType, Kind

CSV = (
    "id,code,price,seen,day,note\n"
    '1,007,1.5,true,2026-01-02,"two\nlines"\n'
    "2,08,10,FALSE,2026-01-03 04:05:06,\n"
    "3,9\n"
    "4,1,2.25,true,2026-01-04,x\n"
)


def file_of(tmp_path: Path, content: str | bytes) -> str:
    path = tmp_path / "data"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def types_of(path: str, form: FileForm) -> dict[str, str]:
    return {column.name: column.type for column in sample(path, form, 0).columns}


def converted(path: str, tmp_path: Path, form: FileForm, *wanted: Wanted, most: int = 100) -> tuple[Converted, Any]:
    to = tmp_path / "arrow"
    done = convert(path, str(to), form, wanted, most)
    with pa.OSFile(str(to), "rb") as file, pa.ipc.open_stream(file) as stream:
        table = stream.read_all()
    return done, [column.to_pylist() for column in table.columns]


def test_types_follow_from_values_and_malformed_records_have_their_line(tmp_path: Path) -> None:
    found = sample(file_of(tmp_path, CSV), FileForm("csv"), 2)
    assert [(one.name, one.type) for one in found.columns] == [
        ("id", "bigint"),
        ("code", "text"),
        ("price", "decimal(4,2)"),
        ("seen", "boolean"),
        ("day", "timestamp"),
        ("note", "text"),
    ]
    assert (found.records, found.refused) == (4, 1)
    assert [(one.line, one.detail) for one in found.faults] == [(5, "2 values, 6 columns")]
    assert [line for line, _ in found.rows] == [2, 4]
    assert found.rows[1][1] == ["2", "08", "10", "FALSE", "2026-01-03 04:05:06", None]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "-2"], "bigint"),
        (["1", "9" * 19], "decimal(19,0)"),
        (["1", "2e3"], "double"),
        (["1.5", "x"], "text"),
        (["2026-01-02T03:04:05Z", "2026-01-02 03:04:05 +08:00"], "timestamptz"),
        (["2026-01-02T03:04:05Z", "2026-01-02 03:04:05"], "text"),
        ([""], "text"),
        (['"{}"'], "text"),
    ],
)
def test_types_of_texts(tmp_path: Path, values: list[str], expected: str) -> None:
    text = "\n".join(["one;two", *(f"{value};1" for value in values)])
    assert types_of(file_of(tmp_path, text), FileForm("csv"))["one"] == expected


def test_values_take_the_form_of_the_table_and_others_are_refused_with_their_line(tmp_path: Path) -> None:
    path = file_of(tmp_path, "n\td\tw\n1.0\t2026-01-02\t255\n300\t2026-13-01\t1\n7\t\t-1\n")
    byte = DataType(Kind.UINT8, "tinyint unsigned")
    done, columns = converted(
        path, tmp_path, FileForm("csv", "tab"), Wanted("w", byte), Wanted("d", data_type("date")), Wanted("n", byte)
    )
    assert columns == [["255"], ["2026-01-02"], ["1"], ["2"]]
    assert (done.records, done.written, done.refused) == (3, 1, 2)
    assert [(one.line, one.column, one.detail) for one in done.faults] == [
        (3, "d", "no date: 2026-13-01"),
        (4, "w", "no tinyint unsigned: -1"),
    ]
    with pytest.raises(ValueError, match="more than 2 records"):
        converted(path, tmp_path, FileForm("csv", "tab"), Wanted("n", byte), most=2)
    with pytest.raises(ValueError, match="no column gone"):
        converted(path, tmp_path, FileForm("csv", "tab"), Wanted("gone", byte))


def test_json_and_json_lines(tmp_path: Path) -> None:
    lines = '{"a": 12345678901234567890.10, "b": {"c": [1]}}\n\n[1]\n{"a": null, "d": "x"}\n{"a": \n'
    found = sample(file_of(tmp_path, lines), FileForm("jsonl"), 5)
    assert {one.name: one.type for one in found.columns} == {"a": "decimal(22,2)", "b": "json", "d": "text"}
    assert [line for line, _ in found.rows] == [1, 4]
    assert [one.line for one in found.faults] == [3, 5]
    listed = sample(file_of(tmp_path, '[{"a": true}, 7, {"a": false}]'), FileForm("json"), 5)
    assert types_of(file_of(tmp_path, '{"a": true}'), FileForm("json")) == {"a": "boolean"}
    assert (listed.records, [one.line for one in listed.faults]) == (3, [2])
    for content in ("7", "[1, {]", "[" * 100_000):
        with pytest.raises(ValueError, match=r"no JSON|neither"):
            sample(file_of(tmp_path, content), FileForm("json"), 5)


def test_parquet_keeps_its_types_and_bytes(tmp_path: Path) -> None:
    table = pa.table({"b": pa.array([b"\x00\xff", None]), "n": pa.array([1, 2], pa.int32())})
    out = io.BytesIO()
    parquet.write_table(table, out)
    path = file_of(tmp_path, out.getvalue())
    assert types_of(path, FileForm("parquet")) == {"b": "bytes", "n": "bigint"}
    blob = DataType(Kind.BINARY, "bytea")
    _, columns = converted(path, tmp_path, FileForm("parquet"), Wanted("b", blob), Wanted("n", data_type("double")))
    assert columns == [[b"\x00\xff", None], ["1", "2"], ["1", "2"]]
    refused, _ = converted(path, tmp_path, FileForm("parquet"), Wanted("n", blob))
    assert refused.refused == 2


def test_rows_of_a_workbook_have_the_sheets_numbers(tmp_path: Path) -> None:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    sheet = book.add_worksheet("First")
    for number, row in ((2, ["id", "name"]), (3, [1, "one"]), (6, ["x", "two"])):
        sheet.write_row(number, 1, row)
    book.close()
    path = file_of(tmp_path, out.getvalue())
    done, columns = converted(
        path, tmp_path, FileForm("xlsx"), Wanted("id", data_type("bigint")), Wanted("name", data_type("text"))
    )
    assert columns == [["1"], ["one"], ["4"]]
    assert [(one.line, one.column) for one in done.faults] == [(7, "id")]
    with pytest.raises(ValueError, match="no sheet 'Other', but First"):
        sample(path, FileForm("xlsx", sheet="Other"), 1)


def test_an_empty_file_has_no_columns_and_bytes_of_another_encoding_are_no_text(tmp_path: Path) -> None:
    assert sample(file_of(tmp_path, ""), FileForm("csv"), 1).columns == []
    with pytest.raises(ValueError, match="utf-8"):
        sample(file_of(tmp_path, b"a,b\n\xff,1\n"), FileForm("csv"), 1)
    assert types_of(file_of(tmp_path, "a|b\n1|2\n"), FileForm("csv", header=False)) == {
        "column_1": "text",
        "column_2": "text",
    }
