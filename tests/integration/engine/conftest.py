"""The link of a test: between each pair of servers that its module names in `PAIRS`, or it itself by
`parametrize`. Pairs of the two databases that are meant alike take turns, and so do those of another server with either
of them (tests/support/turns.py)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.engine.running import Link
from tests.servers.base import Server
from tests.support.turns import take_turns

Pair = tuple[str, str]
"""The fixtures of the source's and the target's server."""


_EITHER = ("postgres_server", "mariadb_server")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    own = [item for item in items if item.path.is_relative_to(Path(__file__).parent)]
    take_turns((item for item in own if _has_one_source(item)), "pair", _others)
    take_turns((item for item in own if not _has_one_source(item)), "pair", _family)


def _has_one_source(item: pytest.Item) -> bool:
    """Whether the tests of a module are about one database, as the source of either."""
    pairs: list[Pair] = getattr(item.module, "PAIRS", []) if isinstance(item, pytest.Function) else []
    return len({source for source, _ in pairs}) == 1


def _others(pair: Pair) -> tuple[str, ...]:
    return tuple("" if server in _EITHER else server for server in pair)


def _family(pair: Pair) -> tuple[object, ...]:
    """What matters of a pair: whether it crosses from one database to the other, and any other server."""
    return _others(pair) if any(_others(pair)) else (pair[0] == pair[1],)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = any(mark.args[0] == "pair" for mark in metafunc.definition.iter_markers("parametrize"))
    if "pair" in metafunc.fixturenames and not chosen:
        metafunc.parametrize("pair", metafunc.module.PAIRS, ids=_name)


def _name(pair: Pair) -> str:
    return "-".join(name.removesuffix("_server") for name in pair)


@pytest.fixture
def link(request: pytest.FixtureRequest, pair: Pair, tmp_path: Path) -> Iterator[Link]:
    """Without tables, not started."""
    source: Server = request.getfixturevalue(pair[0])
    target: Server = request.getfixturevalue(pair[1])
    link = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), tmp_path)
    yield link
    link.close()
    # Hundreds of databases fill a disk; a test may have left its server ended.
    for server, database in ((source, link.source_database), (target, link.target_database)):
        if isinstance(server, Server) and server.pid is not None:
            server.drop_database(database)
