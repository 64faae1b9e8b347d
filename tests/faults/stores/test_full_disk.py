"""No room where files are written: a full disk is called that, and the store writes again once there is room."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.fault


def test_a_full_file_system_is_called_that(tmp_path: Path) -> None:
    """In a mount namespace, so that nothing is left behind. Only root may run a server for SFTP there."""
    folder = tmp_path / "small"
    folder.mkdir()
    is_root = os.getuid() == 0
    command = ["unshare", "--mount"] if is_root else ["unshare", "--user", "--map-root-user", "--mount"]
    command += [sys.executable, "-m", "tests.faults.stores.full_disk", str(folder), *(["root"] if is_root else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except FileNotFoundError:
        pytest.skip("unshare (util-linux) is missing")
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip(f"no private file system: {done.stdout}{done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
