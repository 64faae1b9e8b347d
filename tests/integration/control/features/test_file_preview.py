"""Files that the browser cannot read are read by the control plane, which keeps nothing of them."""

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.test_uploads import answer_of
from tests.unit.connectors.formats.test_workbook import bomb, workbook
from zcbus.control.features.file_preview.schemas import MAX_BYTES

EXCERPT = "/api/zcbus/file-preview/excerpt"


def two_sheets(book: Any) -> None:
    for name in ("One", "Two"):
        book.add_worksheet(name).write(0, 0, name)


def test_a_file_is_read_and_not_kept(admin: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    out = io.BytesIO()
    parquet.write_table(pa.table({"id": range(600)}), out)
    found = answer_of(admin, EXCERPT, out.getvalue())["data"]
    assert (found["kind"], found["columns"]) == ("parquet", [{"name": "id", "type": "bigint"}])
    assert (len(found["rows"]), found["rows"][0], found["totalRows"]) == (500, {"line": 1, "values": ["0"]}, 600)
    second = answer_of(admin, EXCERPT, workbook(two_sheets), sheet="Two")["data"]
    assert (second["sheets"], second["sheet"], second["rows"][0]["values"]) == (["One", "Two"], "Two", ["Two"])
    assert list(tmp_path.glob("zcbus-preview-*")) == []


def test_what_cannot_be_read_says_why(admin: Caller) -> None:
    for data, reason in ((b"a,b", "neither a Parquet"), (bomb(), "too much memory or time")):
        refused = answer_of(admin, EXCERPT, data)
        assert refused["data"]["error"] == "preview-unreadable"
        assert reason in refused["message"]
    assert answer_of(admin, EXCERPT, bytes(MAX_BYTES + 1))["code"] != 200
    assert answer_of(Caller(admin.plane, ""), EXCERPT, b"PAR1")["code"] == 401
