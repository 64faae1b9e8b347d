"""Which tests `make test` leaves to `make soak`: the one place where both are divided.

A test marked `soak` takes long for what it proves and breaks seldom. `soak(but=["postgres-mariadb"])` keeps the cases
with these ids (or patterns of ids) in `make test` and leaves the others to the soak. Every test is in exactly one of
the parts `WITHOUT` and `ONLY`; a test that is named on the command line runs in any case.
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import pytest

MARK = "soak"
WITHOUT = "without"
"""What `make test` runs."""
ONLY = "only"
"""What it leaves."""
ALL = "all"
PARTS = (WITHOUT, ONLY, ALL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", choices=PARTS, default=WITHOUT, help="tests of `make soak`: without, only, all")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    is_named = any("::" in argument for argument in config.args)
    is_whole = not (is_named or config.option.keyword or config.option.markexpr)
    items[:], left = divided(items, ALL if is_named else config.getoption("soak"), is_whole=is_whole)
    config.hook.pytest_deselected(items=left)


def leave_to_soak(item: pytest.Item) -> None:
    """Marks a test whose part is decided when it is collected."""
    item.add_marker(pytest.mark.soak)


def divided(
    items: Sequence[pytest.Item], part: str, *, is_whole: bool = True
) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests that run in this part, and those that do not, each in order. `is_whole`: no case was left out before.

    Raises:
        pytest.UsageError: a mark keeps a case that the test does not have, so all of its cases would leave unnoticed.
    """
    if is_whole:
        _refuse_unknown_cases(items)
    chosen = [item for item in items if part == ALL or is_in_soak(item) == (part == ONLY)]
    kept = set(chosen)
    return chosen, [item for item in items if item not in kept]


def is_in_soak(item: pytest.Item) -> bool:
    """Whether `make test` leaves this test to the soak: by any of its marks."""
    return any(not _keeps(mark, item) for mark in item.iter_markers(MARK))


def _keeps(mark: pytest.Mark, item: pytest.Item) -> bool:
    return any(fnmatchcase(_case(item), pattern) for pattern in _patterns(mark))


def _patterns(mark: pytest.Mark) -> Iterable[str]:
    but: Iterable[str] = mark.kwargs.get("but", ())
    return but


def _case(item: pytest.Item) -> str:
    return item.callspec.id if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""


def _refuse_unknown_cases(items: Sequence[pytest.Item]) -> None:
    kept: dict[tuple[str, str], bool] = {}
    for item in items:
        for mark in item.iter_markers(MARK):
            for pattern in _patterns(mark):
                test = (item.nodeid.partition("[")[0], pattern)
                kept[test] = kept.get(test, False) or fnmatchcase(_case(item), pattern)
    unknown = [f"{test} has no case {pattern}" for (test, pattern), is_there in kept.items() if not is_there]
    if unknown:
        raise pytest.UsageError(f"mark {MARK}: {'; '.join(unknown)}")
