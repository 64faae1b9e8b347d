"""No room: nothing acknowledged is lost, and the same writer continues once there is room."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.fault


def test_a_full_file_system(tmp_path: Path) -> None:
    """In a mount namespace, so that any user may mount and nothing is left behind."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["unshare", "--user", "--map-root-user", "--mount"]
    command += [sys.executable, "-m", "tests.faults.bus.full_disk", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except FileNotFoundError:
        pytest.skip("unshare (util-linux) is missing")
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip(f"no private file system: {done.stdout}{done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
