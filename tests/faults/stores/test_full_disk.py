"""No room where files are written: a full disk is called that, and the store writes again once there is room."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.fault


def in_a_small_file_system(program: str, tmp_path: Path, *arguments: str) -> None:
    """Run a program of this folder in a mount namespace, so that nothing is left behind."""
    folder = tmp_path / "small"
    folder.mkdir()
    private = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    command = [*private, sys.executable, "-m", f"tests.faults.stores.{program}", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except FileNotFoundError:
        pytest.skip("unshare (util-linux) is missing")
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip(f"no private file system: {done.stdout}{done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_full_file_system_is_called_that(tmp_path: Path) -> None:
    """Only root may run a server for SFTP in the namespace."""
    in_a_small_file_system("full_disk", tmp_path, *(["root"] if os.getuid() == 0 else []))


@pytest.mark.wide
@pytest.mark.parametrize("kind", ["h2", "derby"])
def test_a_database_in_java_without_room_is_called_that(kind: str, tmp_path: Path) -> None:
    """The servers end the connection or say a general error; that the disk is full is in what caused it."""
    in_a_small_file_system("full_jdbc", tmp_path, kind)
