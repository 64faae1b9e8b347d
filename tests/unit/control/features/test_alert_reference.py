"""The reference of alerts names every kind, as the bell does, with its level."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from zcbus.control.features.alert.kinds import LEVELS, Kind, Level, is_lasting
from zcbus.control.features.alert.messages import EN, ZH

_BY_RULE = (Kind.RULE, Kind.RULE_MISSING)
_DOCS = Path(__file__).parents[4] / "docs" / "reference"


@pytest.mark.parametrize(
    ("page", "texts", "levels", "by_rule"),
    [
        (
            "alerts.md",
            EN,
            {Level.GENERAL: "general", Level.ATTENTION: "attention", Level.IMPORTANT: "important"},
            "that of the rule",
        ),
        ("alerts.zh.md", ZH, {Level.GENERAL: "一般", Level.ATTENTION: "关注", Level.IMPORTANT: "重要"}, "由规则决定"),
    ],
)
def test_the_reference_has_every_kind_with_its_level(
    page: str, texts: Mapping[str, str], levels: Mapping[Level, str], by_rule: str
) -> None:
    lines = [line for line in (_DOCS / page).read_text("utf-8").splitlines() if line.startswith("|")]
    listed = {cells[1].strip().lower(): cells[2].strip() for cells in (line.split("|") for line in lines)}
    lasting = {
        texts[f"alert-kind.{kind}"].lower(): by_rule if kind in _BY_RULE else levels[level]
        for kind, level in LEVELS.items()
        if is_lasting(kind)
    }
    assert lasting.items() <= listed.items(), lasting.items() - listed.items()
