"""The parts that the tests are divided into: the one place where that is done.

`make test` runs `TEST`, what every change must pass within half an hour. CI runs `WIDE` too: more of the same, against
further kinds, servers and ways, marked `wide`. `SOAK` is what takes long for what it proves and breaks seldom, marked
`soak`. `make soak` runs both. `wide(but=["postgres-mariadb"])` keeps the cases with these ids (or patterns of ids) in
`TEST` and leaves the others to `WIDE`; `soak` likewise. Every test is in exactly one part; a test that is named on the
command line runs in any case.
"""

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import chain

import pytest

TEST = "test"
WIDE = "wide"
SOAK = "soak"
MARKS = (SOAK, WIDE)
"""Each leaves a test to the part of its name. The first counts where a test has both."""
WIDE_KINDS = {
    "clickhouse": ("clickhouse_server",),
    "derby": ("derby_server",),
    "duckdb": ("duckdb_folder",),
    "h2": ("h2_server",),
    "hsqldb": ("hsqldb_server",),
    "iceberg": ("iceberg_folder",),
    "cassandra": ("cassandra_server",),
    "kafka": ("kafka_broker", "kafka_topics", "secure_kafka"),
    "mongodb": ("mongodb_server",),
    "nats": ("nats_server",),
    "oceanbase": ("oceanbase_server",),
    "opensearch": ("opensearch_server",),
    "rabbitmq": ("rabbit_server",),
}
"""Kinds, and the fixtures of their servers: tests that need one are in `WIDE`. Each way to capture and to deliver has
another kind whose tests every change must pass, and most of these servers take long to start."""
PARTS = (TEST, WIDE, SOAK)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--parts",
        type=_parts,
        default=(TEST, WIDE),
        help=f"which tests: names of parts, divided by commas, of {', '.join(PARTS)}",
    )


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := [name for name in names if name not in PARTS]:
        raise pytest.UsageError(f"no such part of the tests: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    return names


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if _needs_wide_kind(item):
            leave_to(WIDE, item)
    is_named = any("::" in argument for argument in config.args)
    is_whole = not (is_named or config.option.keyword or config.option.markexpr)
    items[:], left = divided(items, PARTS if is_named else config.getoption("parts"), is_whole=is_whole)
    config.hook.pytest_deselected(items=left)


_WIDE_NAMES = frozenset((*WIDE_KINDS, *chain.from_iterable(WIDE_KINDS.values())))


def _needs_wide_kind(item: pytest.Item) -> bool:
    """By the fixtures it asks for, or by a parameter that names a kind, a fixture, or several."""
    if "unit" in item.path.parts:
        return False  # only speaks of them
    names = set(getattr(item, "fixturenames", ()))
    for value in getattr(getattr(item, "callspec", None), "params", {}).values():
        names.update(one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str))
    return not names.isdisjoint(_WIDE_NAMES)


def leave_to(part: str, item: pytest.Item) -> None:
    """Marks a test whose part is decided when it is collected."""
    item.add_marker(getattr(pytest.mark, part))


def divided(
    items: Sequence[pytest.Item], parts: Collection[str], *, is_whole: bool = True
) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests of these parts, and the others, each in order. `is_whole`: no case was left out before.

    Raises:
        pytest.UsageError: a mark keeps a case that the test does not have, so all of its cases would leave unnoticed.
    """
    if is_whole:
        _refuse_unknown_cases(items)
    chosen = [item for item in items if part_of(item) in parts]
    kept = set(chosen)
    return chosen, [item for item in items if item not in kept]


def part_of(item: pytest.Item) -> str:
    """By any of the marks."""
    leaving = (name for name in MARKS if any(not _keeps(mark, item) for mark in item.iter_markers(name)))
    return next(leaving, TEST)


def _keeps(mark: pytest.Mark, item: pytest.Item) -> bool:
    return any(fnmatchcase(_case(item), pattern) for pattern in _patterns(mark))


def _patterns(mark: pytest.Mark) -> Iterable[str]:
    but: Iterable[str] = mark.kwargs.get("but", ())
    return but


def _case(item: pytest.Item) -> str:
    return item.callspec.id if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""


def _refuse_unknown_cases(items: Sequence[pytest.Item]) -> None:
    kept: dict[tuple[str, str, str], bool] = {}
    for item in items:
        for name in MARKS:
            for mark in item.iter_markers(name):
                for pattern in _patterns(mark):
                    test = (name, item.nodeid.partition("[")[0], pattern)
                    kept[test] = kept.get(test, False) or fnmatchcase(_case(item), pattern)
    unknown = [
        f"mark {name}: {test} has no case {pattern}" for (name, test, pattern), is_there in kept.items() if not is_there
    ]
    if unknown:
        raise pytest.UsageError("; ".join(unknown))
