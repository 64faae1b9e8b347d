"""The bus's file system fills up under a running link, and gets room again."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.faults.links.situation import LINK, Situation
from tests.servers.base import Server
from tests.support.platform import running_platform
from tests.support.processes import wait_until

pytestmark = [pytest.mark.fault, pytest.mark.timeout(300)]

_SIZE_MB = 48


def _own_small_disk(folder: Path) -> list[str]:
    """Words that run a command in a mount namespace of its own, where `folder` is a small file system."""
    mount = f'mount -t tmpfs -o size={_SIZE_MB}m tmpfs "{folder}" && exec "$@"'
    as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *as_root, "--mount", "sh", "-c", mount, "sh"]


@pytest.mark.soak(but=["postgres_server"])
@pytest.mark.parametrize("source", ["postgres_server", "mariadb_server"])
def test_resumes_by_itself_when_there_is_room_again(
    source: str, tmp_path: Path, postgres_server: Server, request: pytest.FixtureRequest
) -> None:
    bus = tmp_path / "var" / "bus"
    bus.mkdir(parents=True)
    prefix = _own_small_disk(bus)
    if shutil.which("unshare") is None or subprocess.run([*prefix, "true"], check=False).returncode != 0:
        pytest.skip("this machine does not let us mount a small file system of our own")
    with running_platform(tmp_path / "var", prefix) as platform:
        situation = Situation(platform, request.getfixturevalue(source), postgres_server, seed=5)
        situation.link()
        platform.wait(LINK, "incremental-running")
        situation.writer.start()
        situation.expect_flow()
        inside = Path(f"/proc/{platform.pid}/root{bus}")
        filler = inside / "filler"
        _fill(filler)
        wait_until(lambda: _services_wait_for_room(platform), 60, "the service says that the bus is full")
        filler.unlink()
        situation.expect_flow(15)
        situation.writer.stop()
        situation.expect_equal()


def _fill(path: Path) -> None:
    """Take all the room there is; what the writer frees by retention is taken too."""
    # Without a buffer: what is left in one would be written again when the file is closed, and fail there.
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 65536)
        except OSError:
            return


def _services_wait_for_room(platform: object) -> bool:
    with platform.api() as api:  # type: ignore[attr-defined]
        services = api.call("container/service/list", {})
    return any("bus-full" in str(service) for service in services)
