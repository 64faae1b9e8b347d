"""Each kind as source and as target under a running writer: whatever is killed, both sides end up equal.

Every fault is followed by the proof that changes flow again, so that the faults meet a working link each time.
"""

import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.faults.links.situation import LINK, Situation
from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import alive, descendants, kill, wait_until
from zcbus.bus.embedded.layout import topic_names

pytestmark = [pytest.mark.fault, pytest.mark.timeout(600)]

# Pairs of one kind are killed in tests/soak; both kinds are source and target here as well.
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
WORKER_KILLS = 20


@pytest.mark.soak(but=["postgres-mariadb"])
@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name.split("_")[0])
def test_both_sides_end_up_equal_after_any_kill(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(f"{source} {target}")
    servers: tuple[Server, Server] = (request.getfixturevalue(source), request.getfixturevalue(target))
    with running_platform(tmp_path / "var") as platform:
        situation = Situation(platform, *servers, seed=7)
        situation.writer.start()
        situation.link()
        try:
            _kill_workers_during_the_full_load(situation, chance)
            platform.wait(LINK, "incremental-running")
            _kill_workers(situation, chance, WORKER_KILLS)
            seconds = []
            for fault in _faults(situation, chance):
                fault()
                seconds.append(situation.expect_flow())
            print(f"changes flowed again after {median(seconds):.1f} s (median), {max(seconds):.1f} s (at most)")
        finally:
            situation.writer.stop()
        situation.expect_equal()
        status = platform.wait(LINK, "incremental-running")
        assert all(not table["reason"] for table in status["tables"]), status
        _expect_nothing_left(situation)


def _expect_nothing_left(situation: Situation) -> None:
    """A link that is deleted after all that leaves no process, no slot, no publication, no topic and no checkpoint."""
    platform, source = situation.platform, situation.source
    with platform.api() as api:
        api.call("sync/link/delete", {"name": LINK})
    wait_until(lambda: not platform.processes("worker"), 60, "the workers are gone")
    if source.kind == "postgresql":
        slots = "SELECT slot_name::text FROM pg_replication_slots WHERE database = current_database()"
        left = f"{slots} UNION ALL SELECT pubname::text FROM pg_publication"
        wait_until(lambda: not source.rows(left, situation.source_database), 60, "slot and publication are gone")
    wait_until(lambda: not topic_names(platform.data_dir / "bus", ""), 60, "the topics are gone")
    lanes = f"SELECT count(*) FROM {'zcbus.' if situation.target.kind == 'postgresql' else ''}zcbus_lane"
    wait_until(
        lambda: situation.target.rows(lanes, situation.target_database) == [(0,)], 60, "the checkpoints are gone"
    )


def _kill_workers_during_the_full_load(situation: Situation, chance: random.Random) -> None:
    for _ in range(4):
        wait_until(lambda: situation.platform.processes("worker"), 60, "a worker runs")
        time.sleep(chance.uniform(0.1, 0.9))  # the random moment is the point, here and below
        situation.platform.kill("worker", chance.randrange(2))


def _kill_workers(situation: Situation, chance: random.Random, times: int) -> None:
    """At a mean of one a second; the workers of both services are met."""
    for _ in range(times):
        time.sleep(chance.uniform(0.3, 1.2))
        wait_until(lambda: situation.platform.processes("worker"), 30, "a worker runs")
        situation.platform.kill("worker", chance.randrange(2))
    situation.expect_flow()


def _faults(situation: Situation, chance: random.Random) -> list[Callable[[], None]]:
    return [
        lambda: _kill_agent(situation.platform),
        lambda: _kill_fork_server(situation.platform, 0),
        lambda: _kill_fork_server(situation.platform, 1),
        lambda: _kill_control_plane(situation),
        situation.source.restart,
        lambda: _crash(situation.source, chance),
        situation.target.restart,
        lambda: _crash(situation.target, chance),
    ]


def _kill_agent(platform: Platform) -> None:
    """Its workers die with it, and a new one starts them again."""
    workers = platform.processes("worker")
    assert workers
    platform.kill("agent")
    wait_until(lambda: not any(alive(worker) for worker in workers), 10, "no worker outlives its agent")
    wait_until(lambda: platform.processes("agent"), 30, "a new agent runs")


def _kill_fork_server(platform: Platform, which: int) -> None:
    """The launcher's or the agent's; what it forked dies with it."""
    wait_until(lambda: len(platform.processes("fork-server")) == 2, 30, "launcher and agent have a fork server each")
    workers = platform.processes("worker")
    platform.kill("fork-server", which)
    wait_until(lambda: not any(alive(worker) for worker in workers), 10, "no worker outlives its fork server")


def _kill_control_plane(situation: Situation) -> None:
    """Data flows on without it."""
    control = situation.platform.kill("control")
    assert control is not None
    situation.expect_flow(20)
    wait_until(situation.platform.answers, 60, "a new control plane answers")


def _crash(server: Server, chance: random.Random) -> None:
    server.kill()
    time.sleep(chance.uniform(0.1, 3.0))  # an outage of some length is the fault itself
    server.start()


def test_nothing_is_left_over_when_the_launcher_is_killed(tmp_path: Path, postgres_server: Server) -> None:
    with running_platform(tmp_path / "var") as platform:
        situation = Situation(platform, postgres_server, postgres_server, seed=3)
        situation.link()
        platform.wait(LINK, "incremental-running")
        everything = list(descendants(platform.pid))
        assert len(everything) >= 4
        kill(platform.pid)
        wait_until(lambda: not any(alive(pid) for pid in everything), 15, "every process is gone")
