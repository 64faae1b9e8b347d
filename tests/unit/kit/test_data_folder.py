"""The data folder: made private, and refused where another account may write into it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from zcbus.kit.data_folder import DataFolderUnsafe, keep_private


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_files_made_later_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "var"
    keep_private(folder)
    (folder / "key").write_text("secret")
    (folder / "logs").mkdir()
    assert [mode(path) for path in (folder, folder / "key", folder / "logs")] == [0o700, 0o600, 0o700]


@pytest.mark.parametrize("permissions", [0o700, 0o755, 0o2775])
def test_folder_that_only_its_account_and_group_write_is_taken(tmp_path: Path, permissions: int) -> None:
    tmp_path.chmod(permissions)
    keep_private(tmp_path)


@pytest.mark.parametrize("permissions", [0o777, 0o1777, 0o702])
def test_folder_that_all_may_write_into_is_refused(tmp_path: Path, permissions: int) -> None:
    tmp_path.chmod(permissions)
    with pytest.raises(DataFolderUnsafe) as caught:
        keep_private(tmp_path)
    assert caught.value.facts == {"path": str(tmp_path), "mode": f"{permissions:o}", "owner": os.geteuid()}
