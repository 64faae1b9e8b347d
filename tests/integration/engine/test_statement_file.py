"""Rows of a statement as a file of the host: whole and named, or no file."""

import csv
import json
from pathlib import Path

import pytest
from tests.integration.engine.test_precheck import connection
from tests.servers.base import Server

from zcbus.engine.requests import answer
from zcbus.engine.requests.statement_file import ExportIncomplete, ExportNotWritten
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.errors import ZcbusError
from zcbus.protocol.statements import RunStatement, StatementOutcome

ROWS = "SELECT n AS id, CASE n WHEN 2 THEN NULL WHEN 3 THEN '=1+1' ELSE 'a,\"b\"' END AS t FROM generate_series(1, 3) n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZCBUS_FILES_DIR", str(tmp_path / "files"))
    return tmp_path / "files" / "acme"


def run(server: Server, folder: Path, file: str, statement: str = ROWS, **limits: int) -> StatementOutcome:
    source = connection(server, server.default_database).model_copy(update={"tenant": "acme"})
    outcome = answer(RunStatement(connection=source, statement=statement, file=file, **limits), folder, BusSettings())
    assert isinstance(outcome, StatementOutcome)
    return outcome


def test_rows_are_in_the_file_and_not_in_the_answer(postgres_server: Server, files: Path, tmp_path: Path) -> None:
    outcome = run(postgres_server, tmp_path, "daily/rows.csv")
    written = files / "daily" / "rows.csv"
    assert (outcome.rows, outcome.written, outcome.file_bytes) == ((), 3, written.stat().st_size)
    with written.open(newline="") as file:
        assert list(csv.reader(file)) == [["id", "t"], ["1", 'a,"b"'], ["2", ""], ["3", "'=1+1"]]
    run(postgres_server, tmp_path, "daily/rows.jsonl")
    lines = (files / "daily" / "rows.jsonl").read_text().splitlines()
    assert [json.loads(line)["t"] for line in lines] == ['a,"b"', None, "=1+1"]
    assert sorted(path.name for path in written.parent.iterdir()) == ["rows.csv", "rows.jsonl"]


def test_a_repeated_export_takes_the_files_place(postgres_server: Server, files: Path, tmp_path: Path) -> None:
    run(postgres_server, tmp_path, "rows.csv")
    run(postgres_server, tmp_path, "rows.csv", "SELECT 7 AS id")
    assert (files / "rows.csv").read_bytes() == b"id\r\n7\r\n"


@pytest.mark.parametrize(
    ("statement", "limits", "error"),
    [
        (ROWS, {"row_limit": 2}, ExportIncomplete),
        ("DELETE FROM pg_class", {}, ZcbusError),
        ("SELECT * FROM absent", {}, ZcbusError),
    ],
)
def test_without_all_rows_the_file_is_as_it_was(
    postgres_server: Server,
    files: Path,
    tmp_path: Path,
    statement: str,
    limits: dict[str, int],
    error: type[ZcbusError],
) -> None:
    run(postgres_server, tmp_path, "rows.csv")
    before = (files / "rows.csv").read_bytes()
    with pytest.raises(error):
        run(postgres_server, tmp_path, "rows.csv", statement, **limits)
    assert (files / "rows.csv").read_bytes() == before
    assert [path.name for path in files.iterdir()] == ["rows.csv"]


def test_a_folder_that_leads_elsewhere_is_refused(postgres_server: Server, files: Path, tmp_path: Path) -> None:
    files.mkdir(parents=True)
    (files / "away").symlink_to(tmp_path)
    with pytest.raises(ExportNotWritten, match="tenant"):
        run(postgres_server, tmp_path, "away/rows.csv")
    assert not (tmp_path / "rows.csv").exists()
