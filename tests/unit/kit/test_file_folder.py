"""Files of data sources stay within their tenant's folder."""

from pathlib import Path

import pytest

from zcbus.kit.file_folder import FileOutside, confined


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZCBUS_FILES_DIR", str(tmp_path))
    for tenant in ("a", "b"):
        (tmp_path / tenant).mkdir()
    return tmp_path.resolve()


def test_a_path_is_the_tenants(folder: Path) -> None:
    assert confined("a", "x/y.db") == folder / "a" / "x" / "y.db"


@pytest.mark.parametrize(
    ("tenant", "name"),
    [("a", "../b/x.db"), ("a", "/etc/passwd"), ("a", "x/../../b/x.db"), ("", "x.db"), ("..", "x.db"), ("a/b", "x.db")],
)
def test_paths_outside_are_refused(folder: Path, tenant: str, name: str) -> None:
    with pytest.raises(FileOutside):
        confined(tenant, name)


def test_links_that_lead_outside_are_refused(folder: Path) -> None:
    (folder / "a" / "other").symlink_to(folder / "b")
    with pytest.raises(FileOutside):
        confined("a", "other/x.db")


def test_a_tenants_folder_may_be_elsewhere(folder: Path) -> None:
    (folder / "c").symlink_to(folder / "b")
    assert confined("c", "x.db") == folder / "b" / "x.db"
