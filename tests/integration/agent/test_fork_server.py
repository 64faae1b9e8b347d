"""Processes forked by a server of their own, and what becomes of them when one of the two is killed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.support.processes import alive, descendants, wait_until

from zcbus.cli import fork_server
from zcbus.kit.forking.client import ForkedProcess, ForkServer
from zcbus.kit.forking.request import LARGEST

DOUBLE = """
import os, socket, subprocess, sys, time
from zcbus.kit.forking import server
from zcbus.kit.parent import die_with_parent

die_with_parent()
server.load(["json"])
words = server.serve(socket.socket(fileno=int(sys.argv[-1])))
if words is None:
    sys.exit()
die_with_parent()
if words[0] == "report":
    print(os.environ["REPORTED"], os.getpgid(0) == os.getpid(), sorted(os.listdir("/proc/self/fd")), flush=True)
    print(sys.stdin.read(), file=sys.stderr)
    sys.exit(7)
if words[0] == "leave":
    print(subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL).pid, flush=True)
    sys.exit()
time.sleep(600)
"""


FORKS_ITSELF = """
import asyncio, time
from zcbus.kit.forking import server
from zcbus.kit.forking.client import ForkServer
from zcbus.kit.parent import die_with_parent

def serve(control):
    if server.serve(control) is not None:
        die_with_parent()
        print("answers", flush=True)
        time.sleep(600)
    return 0

async def run(forks):
    worker = await forks.start([], {})
    print((await worker.stdout.readline()).decode(), end="", flush=True)
    await worker.wait()

forks = ForkServer(["not", "to", "be", "run"])
forks.fork(serve)
asyncio.run(run(forks))
"""


def serve(folder: Path, scenario: Callable[[ForkServer], Awaitable[None]]) -> None:
    script = folder / "double.py"
    script.write_text(DOUBLE)

    async def run() -> None:
        forks = ForkServer((sys.executable, "-P", str(script)))
        try:
            async with asyncio.timeout(60):
                await scenario(forks)
        finally:
            await forks.close()

    asyncio.run(run())


async def report(forks: ForkServer, text: str) -> tuple[bytes, bytes, int]:
    process = await forks.start(["report"], {"REPORTED": text})
    process.stdin.write(b"given")
    process.stdin.close()
    return await process.stdout.read(), await process.stderr.read(), await process.wait()


def test_a_process_has_its_own_streams_variables_and_group_and_nothing_of_its_siblings(tmp_path: Path) -> None:
    async def scenario(forks: ForkServer) -> None:
        sibling = await forks.start(["sleep"], {})
        answers = await asyncio.gather(*(report(forks, f"answers-{number}") for number in range(5)))
        # The fourth descriptor reads the folder of descriptors.
        assert [out.decode().split(" ", 1) for out, _, _ in answers] == [
            [f"answers-{number}", "True ['0', '1', '2', '3']\n"] for number in range(5)
        ]
        assert {(error, code) for _, error, code in answers} == {(b"given\n", 7)}
        assert alive(sibling.pid)

    serve(tmp_path, scenario)


def test_a_killed_process_reports_its_signal_and_the_server_continues(tmp_path: Path) -> None:
    async def scenario(forks: ForkServer) -> None:
        process = await forks.start(["sleep"], {})
        os.killpg(process.pid, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        assert (await report(forks, "next"))[2] == 7

    serve(tmp_path, scenario)


def test_signals_to_process_groups_do_not_reach_the_server(tmp_path: Path) -> None:
    async def scenario(forks: ForkServer) -> None:
        process = await forks.start(["sleep"], {})
        assert forks.pid is not None
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(forks.pid, number)
        assert (await report(forks, "still"))[2] == 7
        os.kill(process.pid, signal.SIGTERM)
        assert await process.wait() == -signal.SIGTERM

    serve(tmp_path, scenario)


def test_with_a_killed_server_its_processes_end_and_the_next_is_forked_by_another(tmp_path: Path) -> None:
    async def scenario(forks: ForkServer) -> None:
        process = await forks.start(["sleep"], {})
        server = forks.pid
        assert server is not None
        os.kill(server, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        await asyncio.to_thread(wait_until, lambda: not alive(process.pid), 10, "its process is gone")
        assert await _report_again(forks) == 7
        assert forks.pid not in (None, server)

    serve(tmp_path, scenario)


def test_closing_leaves_no_pipe_open_that_another_process_holds(tmp_path: Path) -> None:
    left: list[int] = []
    before = len(list(Path("/proc/self/fd").iterdir()))

    async def scenario(forks: ForkServer) -> None:
        process = await forks.start(["leave"], {})
        left.append(int(await process.stdout.readline()))
        await process.wait()
        await forks.close()
        loop_only = len(list(Path("/proc/self/fd").iterdir())) - before
        assert loop_only <= 3, "the event loop's own: its selector and a pair of sockets"
        assert alive(left[0])

    try:
        serve(tmp_path, scenario)
    finally:
        os.kill(left[0], signal.SIGKILL)


def _names() -> set[str]:
    return {" ".join(line) for line in descendants(os.getpid()).values()}


async def _report_again(forks: ForkServer) -> int:
    """The server's end may be noticed by the first that asks."""
    try:
        return (await report(forks, "again"))[2]
    except OSError:
        return (await report(forks, "again"))[2]


def test_a_fork_of_its_own_serves_a_process_and_ends_with_it(tmp_path: Path) -> None:
    """As an agent's: nothing has to be loaded again, and nothing outlives it when it is killed."""
    script = tmp_path / "forks_itself.py"
    script.write_text(FORKS_ITSELF)
    process = subprocess.Popen([sys.executable, "-P", str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "answers\n"
    below = descendants(process.pid)
    assert len(below) == 2
    process.kill()
    process.wait()
    process.stdout.close()
    wait_until(lambda: not any(alive(pid) for pid in below), 10, "server and worker are gone")


def test_a_request_too_large_is_refused_and_the_next_is_served(tmp_path: Path) -> None:
    async def scenario(forks: ForkServer) -> None:
        with pytest.raises(OSError, match=r"."):
            await forks.start(["sleep"], {"REPORTED": "x" * LARGEST})
        assert (await report(forks, "small"))[2] == 7

    serve(tmp_path, scenario)


def test_a_server_that_cannot_load_is_an_error_of_each_start(tmp_path: Path) -> None:
    async def run() -> None:
        forks = ForkServer((sys.executable, "-c", "import sys; sys.exit(1)"))
        for _ in range(2):
            with pytest.raises(OSError, match=r"."):
                await forks.start([], {})
        await forks.close()

    asyncio.run(run())


@pytest.mark.wide
def test_workers_show_in_the_list_of_processes_as_what_they_are(tmp_path: Path) -> None:
    """And they end when their input ends, as those do that load by themselves."""

    async def run() -> None:
        forks = ForkServer(fork_server.COMMAND)
        worker: ForkedProcess = await forks.start(["worker"], {"ZCBUS_DATA_DIR": str(tmp_path)})
        expected = {"zcbus fork-server", "zcbus worker"}
        await asyncio.to_thread(wait_until, lambda: expected <= _names(), 20, f"there are {expected}")
        worker.stdin.close()
        assert await worker.wait() == 0
        await forks.close()

    asyncio.run(run())
