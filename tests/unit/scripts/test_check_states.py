"""The pages of states in docs/ are what the model says."""

from enum import StrEnum
from pathlib import Path

import pytest

from tests.support.scripts import load
from zcbus.model.reduction.services import Worker
from zcbus.model.states import LinkState, PublishState, ServiceState, SyncState

check_states = load("check_states")
STALE = "# Page\n<!-- made from the model: link-meanings -->\n| halted |\n<!-- end -->\nText\n"


@pytest.mark.parametrize("page", check_states.PAGES, ids=lambda page: page.name)
def test_a_page_is_what_the_model_says(page: Path) -> None:
    assert check_states.regenerated(page.read_text("utf-8")) == page.read_text("utf-8")


def test_a_stale_table_is_made_again_and_the_rest_stays() -> None:
    made = check_states.regenerated(STALE)
    assert "halted" not in made
    assert made.startswith("# Page\n<!-- made from the model: link-meanings -->\n| state | meaning |\n")
    assert made.endswith("|\n<!-- end -->\nText\n")
    assert check_states.regenerated(made) == made


def test_every_table_is_on_a_page() -> None:
    text = "".join(page.read_text("utf-8") for page in check_states.PAGES)
    assert all(f"<!-- made from the model: {name} -->" in text for name in check_states.TABLES)


@pytest.mark.parametrize("states", [SyncState, PublishState, ServiceState, LinkState, Worker])
def test_every_state_has_a_meaning(states: type[StrEnum]) -> None:
    assert list(check_states.meanings(states)) == [state.value for state in states]


def test_a_table_without_a_generator_is_an_error() -> None:
    with pytest.raises(KeyError):
        check_states.regenerated("<!-- made from the model: nothing -->\n<!-- end -->")
