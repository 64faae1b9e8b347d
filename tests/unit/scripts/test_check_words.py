"""Retired names are found as whole names and as parts of names, never in prose."""

from pathlib import Path

import pytest

from tests.support.scripts import load

check = load("check_words")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("HeldLog", "RetainedLog"),
        ("next_lane", "applier, checkpoint (not lane)"),
        ("LaneWriter", "CheckpointWriter"),
        ("HTTPCrew", "pool (not crew)"),
        ("_hear", "receive (not hear)"),
        ("heartbeat", ""),
        ("plane", ""),
        ("apply_lanes", ""),
    ],
)
def test_whole_names_and_parts(name: str, found: str) -> None:
    assert check.replacement(name) == found


def test_prose_is_not_looked_at(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text('"""A lane, in prose."""\n\ncrew = "lane"  # lane\n', "utf-8")
    assert check.retired_in(source) == [f"{source}:3: crew is called pool (not crew)"]
