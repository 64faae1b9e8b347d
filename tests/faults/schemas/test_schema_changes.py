"""Generated schema changes, changes of rows, stops and kills: a table that says that it runs has its source's rows.

Each seed is an episode of its own. `make soak` continues with others for SOAK_SCHEMA_SECONDS (tests/soak).
"""

import pytest

from tests.faults.schemas.finding import Pair
from tests.servers.base import Server

pytestmark = [pytest.mark.fault, pytest.mark.timeout(600)]
_SEEDS = {
    ("postgres", "postgres"): (1, 3, 11),
    ("postgres", "mariadb"): (105, 110, 112),
    ("mariadb", "postgres"): (201, 203, 204),
    ("mariadb", "mariadb"): (2, 13, 14),
}


@pytest.mark.soak(but=["postgres-postgres-3", "postgres-mariadb-105", "mariadb-postgres-201", "mariadb-mariadb-13"])
@pytest.mark.parametrize(
    ("source", "target", "seed"), [(*pair, seed) for pair, seeds in _SEEDS.items() for seed in seeds]
)
def test_a_running_table_is_equal(source: str, target: str, seed: int, request: pytest.FixtureRequest) -> None:
    servers: list[Server] = [request.getfixturevalue(f"{name}_server") for name in (source, target)]
    counts = Pair(servers[0], servers[1], f"{source}-{target}").generate(seed, steps=30, rounds=2)
    assert counts.rows > 10
    assert counts.schemas > 5
    assert counts.checked > counts.stopped
