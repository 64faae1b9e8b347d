"""A real agent receives the changes of its orders, also when it or its control plane is killed in between."""

from pathlib import Path
from typing import Any

import pytest
from tests.servers.base import Server
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import wait_until

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]

TABLES = ("one", "two", "three")


def states(platform: Platform) -> dict[str, str]:
    return {table["source"].removeprefix("public."): table["state"] for table in platform.status("many")["tables"]}


def change(platform: Platform, action: str, *tables: str) -> None:
    """Suspend or resume tables, and wait until the worker does so."""

    def done() -> bool:
        if not platform.answers():
            return False
        with platform.api() as api:
            api.call(f"sync/link/table/{action}", {"name": "many", "tables": [f"public.{one}" for one in tables]})
        return True

    wait_until(done, 60, "the control plane answers", pause=0.2)
    wanted = "suspended" if action == "suspend" else "incremental-running"
    wait_until(lambda: all(states(platform)[one] == wanted for one in tables), 60, f"{tables} are {wanted}")


def await_states(platform: Platform, *wanted: str) -> None:
    all_wanted = dict(zip(TABLES, wanted, strict=True))
    wait_until(lambda: states(platform) == all_wanted, 60, f"tables are {all_wanted}")


@pytest.mark.soak
def test_changes_arrive_one_by_one_and_over_the_end_of_either_side(tmp_path: Path, postgres_server: Server) -> None:
    source, target = postgres_server.fresh_database("changes"), postgres_server.fresh_database("copy")
    for table in TABLES:
        postgres_server.execute(f"CREATE TABLE {table} (id int PRIMARY KEY)", source)
    with running_platform(tmp_path / "var") as platform:
        document: dict[str, Any] = {
            "link": "many",
            "source": side(postgres_server, source),
            "target": side(postgres_server, target),
            "tables": ["public.*"],
        }
        platform.apply(document)
        platform.wait("many", "incremental-running")
        appended = platform.data_dir / "agent" / "orders.changes"
        change(platform, "suspend", "one")
        assert appended.stat().st_size > 0
        platform.kill("agent")  # it begins with what is on its disk
        change(platform, "suspend", "two")
        await_states(platform, "suspended", "suspended", "incremental-running")
        platform.kill("control")  # it no longer knows what the agent holds
        change(platform, "resume", "one")
        change(platform, "suspend", "three")
        await_states(platform, "incremental-running", "suspended", "suspended")
        postgres_server.execute("INSERT INTO one VALUES (1)", source)
        arrived = "SELECT count(*) FROM one"
        wait_until(lambda: postgres_server.rows(arrived, target)[0][0] == 1, 60, "the change arrives")
