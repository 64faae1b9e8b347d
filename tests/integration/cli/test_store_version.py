"""Commands on the platform's own host refuse a store of another version with a sentence."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.support.control_plane import control_plane

from zcbus.cli.main import main

COMMANDS = (["audit", "verify"], ["token", "list"], ["user", "set-password", "admin"])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("version", "remedy"),
    [("0001", "run zcbus migrate"), ("9999", "Use the program that wrote it")],
    ids=["older", "newer"],
)
def test_a_store_of_another_version_is_refused_with_what_to_do(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
    version: str,
    remedy: str,
) -> None:
    with control_plane(tmp_path) as plane:
        with plane.services.database.engine.begin() as store:
            store.execute(sa.text("UPDATE alembic_version SET version_num = :version"), {"version": version})
        folder = plane.data_dir
    assert _run(monkeypatch, folder, command) == 1
    error = capsys.readouterr().err
    assert version in error
    assert remedy in error


def test_an_empty_data_folder_is_said_to_be_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, tmp_path / "other", ["token", "list"]) == 1
    assert "ZCBUS_DATA_DIR" in capsys.readouterr().err


def _run(monkeypatch: pytest.MonkeyPatch, folder: Path, command: list[str]) -> int:
    monkeypatch.setenv("ZCBUS_DATA_DIR", str(folder))
    monkeypatch.setenv("ZCBUS_NEW_PASSWORD", "Other.1234")
    monkeypatch.setenv("LANG", "C.UTF-8")
    return main(command)
