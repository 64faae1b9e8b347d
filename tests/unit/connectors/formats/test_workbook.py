"""Cells of workbooks become texts without loss; malformed workbooks and decompression bombs do no harm."""

import base64
import datetime as dt
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import xlsxwriter

from zcbus.connectors.formats import TEXT, BadRecord
from zcbus.connectors.formats.isolated import Child, IsolatedReader
from zcbus.connectors.formats.workbook import WORKBOOK

XLS = (
    "c-rk)O=uHA6#iy6X*QurH*G4mLI?$`*7i`mNTJ<S(4H*Siz0%yZlI+mEvc7!u^Iz<5DK0YFM)dSQhyHqpn~2!2o*gDf{-Y9>8YR~(q?`0vWsa&"
    "XrL`r=3C~Qw{PD3?YuX;v+ow7#lpkZ64sy(I?7HEbyYe+Dd^pppmN8NqL&+#9EEL#pg{{+=g0H#+kjj{x!xscc;I_Y41A$<8j~2D$fOcmh(kPv"
    "VIjxRODu4QG!eA$s2Z8iF*h;aXUiANN!Hw8?j_rzIE4jku;ZZX#V55kE{j06`-JO!Vof)i@kV;_rCCw2^`k#KHhg}Y6~uk@m;){7Kq`~U%KM$T"
    "OHT^ZgsybD%eE7vqdn<#&(u^AF<SLG{BRP$cQ3qOC6s<^^#Y{-xmq9ihu)yoT&usS`G6TXXE|E(v{V1mD^AhBj4*HBGLf5)*&(@;bL5+=B0tO#"
    "QBQ26f#oR2g-Jaw-&=ZrbY#dn!<rf1?JG_0mOaD4Wm$tNN4P{|mL(l5?`OWkt?pvEl{rREOL_ZHvnw3QvCUO3ZKr+?Fg{p&s^q;S=NFGXjpx5w"
    "`$(Q2C|!)rf3yl{qnX=OUtT$MicWF+mc%p5%Z0mtd}eO>YcDZ0)18~+zW5rjf)I;QW@#aKc7H5hQmcY3;>?RW2c%{YYjiK5(~}`4yV=5{-1TeU"
    "l6_hu9`l1rR=sCKP*6}%P*6}%P*B($xJLr$?zg(%JqZNd|2iv_%IY`Ce~aUopz8viB@ZJ*c^1<(`Ogmch1Zr?XC3c<p~MO5J&SRS@Hob6_Fp>5"
    "iR$^RyP~;qAyjMs<yywM$^HKZGS<&M"
)
"""A workbook of Excel 97: `id`; 7, 2.5, TRUE, 2026-05-06 07:08:09."""
_SHEET = "xl/worksheets/sheet1.xml"
Rows = list[list[str | None]]


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    made = Child()
    yield made
    made.close()


def workbook(fill: Callable[[Any], None]) -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    fill(book)
    book.close()
    return out.getvalue()


def with_sheet(xml: bytes) -> bytes:
    """A workbook whose first sheet is this."""
    source, out = zipfile.ZipFile(io.BytesIO(workbook(lambda book: book.add_worksheet()))), io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in source.namelist():
            made.writestr(name, xml if name == _SHEET else source.read(name))
    return out.getvalue()


def read(child: Child, data: bytes, sheet: str = "", header: bool = True) -> tuple[list[str], Rows]:
    form = IsolatedReader(WORKBOOK, child, sheet, header)
    columns = form.columns(io.BytesIO(data))
    assert set(columns.values()) <= {TEXT}
    batches = list(form.read(io.BytesIO(data), list(columns), behind_start=False))
    rows = [list(row.values()) for batch in batches for row in batch.to_pylist()]
    assert form.most_records(io.BytesIO(data)) == len(rows)
    return list(columns), rows


def test_values_become_texts(child: Child) -> None:
    cells = [
        (3.0, "3"),
        (0.1, "0.1"),
        (-0.0, "0"),
        (1 / 3, "0.3333333333333333"),
        (1e-7, "0.0000001"),
        (1e-10, "1e-10"),
        (2.0**53, "9007199254740992"),
        (1e16, "10000000000000000"),
        (1e300, "1e+300"),
        ("007", "007"),
        ("名 <&>", "名 <&>"),
        ("  ", "  "),
        (True, "true"),
        (False, "false"),
        (dt.date(2026, 2, 28), "2026-02-28"),
        (dt.datetime(2026, 2, 28, 1, 2, 3), "2026-02-28 01:02:03"),
        (dt.datetime(2026, 2, 28, 1, 2, 3, 450_000), "2026-02-28 01:02:03.45"),
        (dt.time(23, 59, 58), "23:59:58"),
        (dt.timedelta(hours=49, seconds=5), "49:00:05"),
        ("", None),
    ]

    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        forms = {
            dt.date: "yyyy-mm-dd",
            dt.datetime: "yyyy-mm-dd hh:mm:ss.000",
            dt.time: "hh:mm:ss",
            dt.timedelta: "[h]:mm:ss",
        }
        sheet.write_row(0, 0, ["number", "value"])
        for number, (value, _) in enumerate(cells, 1):
            form = book.add_format({"num_format": forms[type(value)]}) if type(value) in forms else None
            sheet.write(number, 0, number)
            sheet.write(number, 1, value, form)
        sheet.write(len(cells) + 1, 0, len(cells) + 1)
        sheet.write_formula(len(cells) + 1, 1, "=1/0", None, "#DIV/0!")

    _, rows = read(child, workbook(fill))
    assert [row[1] for row in rows] == [*(text for _, text in cells), None]


def test_names_places_and_empty_rows(child: Child) -> None:
    def fill(book: Any) -> None:
        first, second = book.add_worksheet("一"), book.add_worksheet("Second")
        first.write_row(2, 1, [" id ", "", "name", ""])
        first.write_row(4, 1, ["1", "unnamed", "a"])
        first.write_row(7, 1, ["2", "", "b"])
        second.write_row(0, 0, ["x", "y"])

    data = workbook(fill)
    assert read(child, data) == (["id", "column_3", "name"], [["1", "unnamed", "a"], ["2", None, "b"]])
    assert read(child, data, "Second") == (["x", "y"], [])
    assert read(child, data, "Second", header=False) == (["column_1", "column_2"], [["x", "y"]])
    with pytest.raises(BadRecord, match="no sheet 'Third', but 一, Second"):
        read(child, data, "Third")


def test_many_rows(child: Child) -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, [f"c{column}" for column in range(50)])
        for row in range(1, 2101):
            sheet.write_row(row, 0, [row * column for column in range(50)])

    columns, rows = read(child, workbook(fill))
    assert columns[49] == "c49"
    assert [row[49] for row in rows] == [str(49 * number) for number in range(1, 2101)]


def test_workbooks_of_other_programs(child: Child) -> None:
    old = zlib.decompress(base64.b85decode(XLS))
    columns = ["id", "column_2", "column_3", "column_4"]
    assert read(child, old) == (columns, [["7", "2.5", "true", "2026-05-06 07:08:09"]])
    assert read(child, open_document()) == (["id", "at"], [["7", "2026-05-06"], ["2.5", None]])


def open_document() -> bytes:
    """As LibreOffice writes it."""
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content'
        ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"><office:body>'
        '<office:spreadsheet><table:table table:name="A">'
        "<table:table-row>"
        '<table:table-cell office:value-type="string"><text:p>id</text:p></table:table-cell>'
        '<table:table-cell office:value-type="string"><text:p>at</text:p></table:table-cell></table:table-row>'
        "<table:table-row>"
        '<table:table-cell office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell>'
        '<table:table-cell office:value-type="date" office:date-value="2026-05-06"><text:p>6/5</text:p>'
        "</table:table-cell></table:table-row>"
        "<table:table-row>"
        '<table:table-cell office:value-type="float" office:value="2.5"><text:p>2.5</text:p></table:table-cell>'
        "<table:table-cell/></table:table-row>"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{mime}"/></manifest:manifest>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("mimetype", mime)
        made.writestr("content.xml", content)
        made.writestr("META-INF/manifest.xml", manifest)
    return out.getvalue()


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PK\x03\x04 and no more", with_sheet(b"<worksheet")])
def test_invalid_workbooks_are_bad_records(child: Child, data: bytes) -> None:
    with pytest.raises(BadRecord):
        read(child, data)


def test_two_columns_of_one_name(child: Child) -> None:
    with pytest.raises(BadRecord, match="two columns are called ID"):
        read(child, workbook(lambda book: book.add_worksheet().write_row(0, 0, ["id", "ID "])))


def bomb() -> bytes:
    """Two cells at the corners of a sheet, which the reader makes a table of 17 thousand million."""
    cells = b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return with_sheet(b"<worksheet " + space + b"><sheetData>" + cells + b"</sheetData></worksheet>")


def test_a_bomb_ends_the_child_alone(child: Child) -> None:
    with pytest.raises(BadRecord, match="too much memory or time"):
        read(child, bomb())
    data = workbook(lambda book: book.add_worksheet().write_row(0, 0, ["id"]))
    assert read(child, data) == (["id"], [])


def test_limits(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook(lambda book: book.add_worksheet().write_row(0, 0, ["id"]))
    monkeypatch.setattr("zcbus.connectors.formats.isolated.MAX_FILE", len(data) - 1)
    with pytest.raises(BadRecord, match="more than"):
        read(child, data)
