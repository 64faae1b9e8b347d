"""A feature that uses another's queries is reported."""

from pathlib import Path

import pytest

from tests.support.scripts import load

check = load("check_features")


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("from zcbus.control.features.role import repository as roles", True),
        ("from zcbus.control.features.role.repository import find", True),
        ("from zcbus.control.features.subscribe import service, table_repository", True),
        ("from zcbus.control.features.role import queries", True),
        ("from zcbus.control.features.user import repository", False),
        ("from zcbus.control.features.role import service", False),
        ("from zcbus.control.store import repository", False),
    ],
)
def test_only_queries_of_another_feature_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, refused: bool
) -> None:
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "FEATURES", tmp_path)
    path = tmp_path / "user" / "service.py"
    path.parent.mkdir()
    path.write_text(line + "\n")
    assert bool(list(check.problems(path))) == refused
