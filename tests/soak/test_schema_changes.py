"""Each pair through generated schema changes, changes of rows, stops and kills for SOAK_SCHEMA_SECONDS (default 600).

Seeds begin with SOAK_SCHEMA_SEED, else anywhere; a failed one is printed with a script that fails in the same way.
"""

import os
import random
import time

import pytest

from tests.faults.schemas.episode import Counts
from tests.faults.schemas.finding import Pair
from tests.servers.base import Server

SECONDS = float(os.environ.get("SOAK_SCHEMA_SECONDS", "600"))
FIRST = int(os.environ.get("SOAK_SCHEMA_SEED", "0")) or random.randrange(1, 10**6)
PAIRS = [
    ("postgres", "postgres"),
    ("postgres", "mariadb"),
    ("mariadb", "postgres"),
    ("mariadb", "mariadb"),
    ("mysql", "postgres"),
    ("postgres", "mysql"),
]

pytestmark = [pytest.mark.fault, pytest.mark.timeout(SECONDS + 1800)]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_running_table_is_equal(source: str, target: str, request: pytest.FixtureRequest) -> None:
    servers: list[Server] = [request.getfixturevalue(f"{name}_server") for name in (source, target)]
    pair, counts = Pair(servers[0], servers[1], f"{source}-{target}"), Counts()
    seed, until = FIRST, time.monotonic() + SECONDS
    while time.monotonic() < until:
        counts.add(pair.generate(seed, steps=40, rounds=3))
        seed += 1
    print(f"\n{pair.name}, {seed - FIRST} episodes: {counts}; none different", flush=True)
