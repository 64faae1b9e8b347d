"""Supervision with real processes."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from zcbus.agent.lease import Lease
from zcbus.agent.service import Service
from zcbus.agent.timeouts import Timeouts
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.clock import Clock, SystemClock, uptime
from zcbus.kit.forking.client import ForkServer
from zcbus.model.services import TRANSITIONS
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.agent import Order
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.reports import Attempt, Report, ServiceReport
from zcbus.protocol.tasks import PublishedTable, PublishTask

DOUBLE = Path(__file__).with_name("worker_double.py")
CONNECTION = Connection(kind="postgresql", options={"host": "127.0.0.1", "port": 1, "user": "u", "database": "d"})


def order(desired: DesiredState = DesiredState.RUNNING, tables: int = 0, **more: object) -> Order:
    published = tuple(
        PublishedTable(id=str(n), source=TableRef(schema_name="public", table=f"t{n}")) for n in range(tables)
    )
    task = PublishTask(service="svc", node="n", source=CONNECTION, tables=published)
    return Order.model_validate({"service": "svc", "desired": desired, "task": task, **more})


@dataclass
class Seen:
    reports: list[Report] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)


class SetClock(SystemClock):
    """The machine's clock, which the test sets."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


def supervise(
    folder: Path,
    behaviour: str,
    scenario: Callable[[Service, Seen], Awaitable[None]],
    timeouts: Timeouts | None = None,
    clock: Clock | None = None,
) -> Seen:
    seen = Seen()

    async def run() -> None:
        forks = ForkServer((sys.executable, str(DOUBLE), behaviour))
        service = Service(
            order=order(),
            data_dir=folder,
            bus=BusSettings(),
            clock=clock or SystemClock(),
            on_report=lambda _service, report: seen.reports.append(report),
            on_attempt=seen.attempts.append,
            lease=Lease(),
            timeouts=timeouts or Timeouts(stop=5),
            start=forks.start,
        )
        service.begin()
        try:
            await scenario(service, seen)
        finally:
            await service.close()
            await forks.close()

    asyncio.run(run())
    return seen


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_crashed_worker_is_started_again_and_every_attempt_is_kept(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: len(seen.attempts) >= 3)
        assert service.restarts >= 2
        assert service.state != ServiceState.ABNORMAL

    seen = supervise(tmp_path, "crashes", scenario)
    assert {attempt.result for attempt in seen.attempts} == {"signal 9"}
    assert all(attempt.reason and attempt.reason.code == "crashed" for attempt in seen.attempts)


def test_a_worker_with_a_terminal_error_is_not_restarted_until_its_order_changes(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.ABNORMAL)
        assert service.status().reason is not None
        assert service.status().reason.code == "log-position-lost"  # type: ignore[union-attr]
        assert service.next_attempt_at is None
        assert len(seen.attempts) == 1
        await service.give_order(order(restart=1))
        await until(lambda: len(seen.attempts) == 2)

    supervise(tmp_path, "cannot-go-on", scenario)


def test_cannot_start_is_distinguished_from_crashed(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.ABNORMAL)
        status = service.status()
        assert len(seen.attempts) == 2
        assert status.reason is not None
        assert status.reason.code == "cannot-start"
        assert status.next_attempt_at is not None

    supervise(tmp_path, "cannot-start", scenario, Timeouts(failed_starts=2))


def test_a_clock_that_is_set_back_does_not_make_a_process_younger_than_its_reports(tmp_path: Path) -> None:
    clock = SetClock()

    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.STARTED)
        for ahead in (timedelta(hours=-1), timedelta(), timedelta(hours=1)):
            clock.ahead = ahead
            started_at = service.status().started_at
            assert started_at is not None
            assert timedelta() <= clock.now() - started_at < timedelta(minutes=1)
        assert not seen.attempts

    supervise(tmp_path, "works", scenario, clock=clock)


def test_a_changed_task_reaches_the_running_worker(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.STARTED)
        pid = service.status().pid
        await service.give_order(order(tables=3))
        await until(lambda: any(isinstance(r, ServiceReport) and r.position == "3" for r in seen.reports))
        assert service.status().pid == pid

    supervise(tmp_path, "works", scenario)


def test_stopping_lets_the_worker_drain_and_does_not_count_as_a_crash(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.STARTED)
        await service.give_order(order(DesiredState.STOPPED))
        await until(lambda: service.state == ServiceState.STOPPED)
        assert service.status().pid is None

    seen = supervise(tmp_path, "works", scenario)
    assert [attempt.result for attempt in seen.attempts] == ["exit 0"]
    assert isinstance(seen.reports[-1], ServiceReport)
    assert seen.reports[-1].state == "stopping"


def test_a_restart_is_one_clean_stop_and_one_start(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.STARTED)
        pid = service.status().pid
        await service.give_order(order(restart=1))
        await until(lambda: service.status().pid not in (None, pid) and service.state == ServiceState.STARTED)
        assert [attempt.result for attempt in seen.attempts] == ["exit 0"]

    supervise(tmp_path, "works", scenario)


def test_a_forced_restart_does_not_wait_and_is_no_crash(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.STARTED)
        pid = service.status().pid
        await service.give_order(order(restart=1, forced=True))
        assert service.state == ServiceState.RESTARTING
        await until(lambda: service.status().pid not in (None, pid) and service.state == ServiceState.STARTED)
        # The order still says so, but nothing more is asked.
        await service.give_order(order(restart=1, forced=True, tables=1))
        assert [(attempt.result, attempt.reason) for attempt in seen.attempts] == [("signal 9", None)]

    supervise(tmp_path, "stubborn", scenario)


def test_observed_states_follow_the_table_of_transitions(tmp_path: Path) -> None:
    states: list[ServiceState] = []

    async def scenario(service: Service, _seen: Seen) -> None:
        watching = asyncio.create_task(_watch_states(service, states))
        await until(lambda: service.state == ServiceState.STARTED)
        await service.give_order(order(restart=1))
        await until(lambda: service.state == ServiceState.STARTED)
        await service.give_order(order(DesiredState.STOPPED, restart=1))
        await until(lambda: service.state == ServiceState.STOPPED)
        await service.give_order(order(restart=1))
        await until(lambda: service.state == ServiceState.STARTED)
        watching.cancel()

    supervise(tmp_path, "works", scenario)
    allowed = {(one.before, one.after) for one in TRANSITIONS}
    assert set(pairwise(states)) <= allowed
    assert {ServiceState.STARTING, ServiceState.RESTARTING, ServiceState.STOPPING} <= set(states)


async def _watch_states(service: Service, states: list[ServiceState]) -> None:
    while True:
        if states[-1:] != [service.state]:
            states.append(service.state)
        await asyncio.sleep(0)


def test_forced_stop_kills_the_whole_process_group(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: bool(seen.reports))
        report = seen.reports[0]
        assert isinstance(report, ServiceReport)
        grandchild = int(report.position)
        assert alive(grandchild)
        await service.give_order(order(DesiredState.STOPPED, forced=True))
        await until(lambda: service.state == ServiceState.STOPPED, 5)
        await until(lambda: not alive(grandchild), 5)

    supervise(tmp_path, "stubborn", scenario, Timeouts(stop=600))


@pytest.mark.parametrize("behaviour", ["stuck", "says-only"])
def test_a_worker_without_progress_is_killed_and_started_again(tmp_path: Path, behaviour: str) -> None:
    """Also one that keeps reporting that it is alive."""

    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: bool(seen.attempts))
        assert seen.attempts[0].result == "stuck"
        await until(lambda: service.status().pid is not None)

    supervise(tmp_path, behaviour, scenario, Timeouts(progress=1.0))


def test_a_worker_that_does_not_stop_in_time_is_killed(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: service.state == ServiceState.STARTED)
        await service.give_order(order(DesiredState.STOPPED))
        await until(lambda: service.state == ServiceState.STOPPED, 10)
        assert seen.attempts[0].result == "signal 9"

    supervise(tmp_path, "stubborn", scenario, Timeouts(stop=0.5))


def test_properties_of_the_container_reach_the_process(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await until(lambda: bool(seen.reports))
        assert _position(seen.reports[0]) == ""
        service.properties = {"batch.records": 7, "logging.size": 1, "logging.files": 1}
        service.timeouts = Timeouts.of({"supervision.stop": 1})
        await service.give_order(order(restart=1))
        await until(lambda: any(_position(report) == "7" for report in seen.reports))
        # Three megabytes were said: a file that is full steps aside at one, and only the newest of those is kept.
        aside = tmp_path / "logs" / "svc.log.1"
        await until(lambda: aside.exists() and aside.stat().st_size < 9 << 17)
        assert not aside.with_name("svc.log.2").exists()
        assert (service.timeouts.stop, service.timeouts.progress) == (1, 90)

    supervise(tmp_path, "tells", scenario)


def _position(report: Report) -> str:
    return report.position if isinstance(report, ServiceReport) else ""


def test_a_service_whose_lease_is_over_is_not_started_until_it_is_renewed(tmp_path: Path) -> None:
    async def scenario(service: Service, seen: Seen) -> None:
        await service.give_order(order(leased=True))
        await until(lambda: service.reason is not None and service.reason.code == "lease-over")
        assert (service.state, service.status().pid) == (ServiceState.STOPPED, None)
        before = len(seen.attempts)
        service.lease.renew(uptime(), 60)
        await service.lease_renewed()
        await until(lambda: service.state == ServiceState.STARTED)
        assert len(seen.attempts) == before

    supervise(tmp_path, "says-only", scenario)


def test_no_worker_outlives_a_killed_supervisor(tmp_path: Path) -> None:
    """The supervisor is a process of its own here; SIGKILL gives it no chance to clean up."""
    script = tmp_path / "supervisor.py"
    script.write_text(
        "import asyncio, sys\n"
        "from zcbus.kit.forking.client import ForkServer\n"
        "async def main():\n"
        f"    worker = await ForkServer((sys.executable, {str(DOUBLE)!r}, 'says-only')).start([], {{}})\n"
        "    await worker.stdout.readline()\n"
        "    print(worker.pid, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )

    async def run() -> None:
        supervisor = await asyncio.create_subprocess_exec(sys.executable, str(script), stdout=asyncio.subprocess.PIPE)
        assert supervisor.stdout is not None
        async with asyncio.timeout(20):
            worker = int(await supervisor.stdout.readline())
        assert alive(worker)
        os.kill(supervisor.pid, 9)
        await supervisor.wait()
        await until(lambda: not alive(worker), 5)

    asyncio.run(run())
