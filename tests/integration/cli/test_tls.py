"""`zcbus serve` and commands over TLS: the launcher's check, its agent, commands on this host and elsewhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.platform import Platform
from tests.support.processes import wait_until


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    platform = Platform(tmp_path_factory.mktemp("tls") / "var", tls="on")
    platform.start()
    try:
        yield platform
    finally:
        platform.stop()


def list_links(platform: Platform, data_dir: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ZCBUS_")},
        "ZCBUS_DATA_DIR": str(data_dir),
        "ZCBUS_TOKEN": (platform.data_dir / "local-token").read_text().strip(),
        **settings,
    }
    command = [sys.executable, "-m", "zcbus.cli", "link", "list", "--json", "--url", platform.url]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.wide
def test_the_control_plane_s_own_agent_is_online_over_tls(platform: Platform) -> None:
    def agents() -> bool:
        with platform.api() as api:
            (container,) = api.call("container/list")
            details = api.call("container/cluster/customer/getContainerInfo", {"id": container["id"]})
        return bool(details["agents"])

    wait_until(agents, 30, "the agent has registered")


def test_commands_trust_the_authority_of_their_data_folder_or_a_named_one(platform: Platform, tmp_path: Path) -> None:
    here = list_links(platform, platform.data_dir)
    assert (here.returncode, here.stdout.strip()) == (0, "[]"), here.stderr
    stranger = list_links(platform, tmp_path)
    assert stranger.returncode != 0
    assert "cannot be reached" in stranger.stderr
    named = list_links(platform, tmp_path, ZCBUS_TLS_TRUSTED=str(platform.data_dir / "tls" / "ca.pem"))
    assert named.returncode == 0, named.stderr
