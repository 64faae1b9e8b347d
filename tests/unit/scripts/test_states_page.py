"""docs/states.md has every state, each with a test that is there."""

import re
from enum import StrEnum

import pytest

from tests.support.pages import DOCS, is_there, named_tests
from zcbus.model.row_errors import RowErrorStatus
from zcbus.model.states import ChannelState, PublishState, ServiceState, SyncState

KINDS: dict[str, type[StrEnum]] = {
    "table": SyncState,
    "published table": PublishState,
    "refused change": RowErrorStatus,
    "service": ServiceState,
    "channel": ChannelState,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_is_reached_by_a_test(kind: str) -> None:
    row = rf"^\| {kind} \| ([\w-]+) \| `[\w/]+\.py::\w+` \|$"
    states = re.findall(row, (DOCS / "states.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(states) == sorted(str(state) for state in KINDS[kind])


@pytest.mark.parametrize(("file", "name"), named_tests("states.md"))
def test_the_named_test_is_there(file: str, name: str) -> None:
    assert is_there(file, name)
