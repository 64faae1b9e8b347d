"""The connection test of files names what is wrong with a folder, and how to mend that."""

from pathlib import Path

import pytest

from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Side


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_missing_folder_is_to_be_created_and_no_firewall_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: Side
) -> None:
    monkeypatch.setenv("ZCBUS_FILES_DIR", str(tmp_path))
    (tmp_path / "default").mkdir()
    make = connector("localfiles").tester
    assert make is not None
    tester = make()
    options = LocalFilesOptions(folder="out", tenant="default")
    (missing,) = tester.test(options, side)
    assert (missing.ok, missing.detail, missing.advice) == (False, "no such folder", "folder")
    (tmp_path / "default" / "out").mkdir()
    assert all(check.ok for check in tester.test(options, side))
