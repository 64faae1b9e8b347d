"""The link of a test: between each pair of servers that its module names in `PAIRS`, or it itself by
`parametrize`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.engine.running import Link
from tests.servers.base import Server

Pair = tuple[str, str]
"""The fixtures of the source's and the target's server."""


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
