"""Chains of imports in the engine are measured by what a module imports when it runs."""

import pytest

from tests.support.scripts import load

check = load("check_chains")

KNOWN = {"zcbus.engine.reasons", "zcbus.engine.subscribe", "zcbus.engine.subscribe.table"}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from zcbus.engine.reasons import TableStopped", {"zcbus.engine.reasons"}),
        ("from zcbus.engine.subscribe import table", {"zcbus.engine.subscribe.table"}),
        ("from zcbus.engine.subscribe import something", {"zcbus.engine.subscribe"}),
        ("import zcbus.engine.reasons", {"zcbus.engine.reasons"}),
        ("def later():\n    import zcbus.engine.reasons", {"zcbus.engine.reasons"}),
        ("if TYPE_CHECKING:\n    import zcbus.engine.reasons", set()),
        ("from zcbus.model import batches", set()),
    ],
)
def test_imports_of_a_module(source: str, found: set[str]) -> None:
    assert check.imports_of(source, KNOWN) == found


def test_the_longest_chain_is_found() -> None:
    graph: dict[str, set[str]] = {"a": {"b", "c"}, "b": set(), "c": {"d"}, "d": {"e"}, "e": set()}
    assert check.longest_chain(graph) == ["a", "c", "d", "e"]


def test_a_chain_that_is_too_long_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MOST", 1)
    with pytest.raises(SystemExit, match="modules in a chain of imports"):
        check.main()
