"""The platform with reloading: Python processes start again when a source file changes, Vite reloads the console.

The console is at the address that Vite prints; it passes calls on to the control plane.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOK_EVERY = 0.7


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    vite = subprocess.Popen(["npm", "run", "dev"], cwd=ROOT / "console")
    platform = start()
    try:
        seen = newest_change()
        while vite.poll() is None:
            time.sleep(LOOK_EVERY)
            if newest_change() != seen:
                seen = newest_change()
                stop(platform)
                platform = start()
    except KeyboardInterrupt:
        pass
    finally:
        stop(platform)
        stop(vite)


def start() -> subprocess.Popen[bytes]:
    environment = {"ZCBUS_DEMO": "1", **os.environ}
    return subprocess.Popen([sys.executable, "-m", "zcbus.cli", "serve"], cwd=ROOT, env=environment)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end and wait for it."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    process.wait()


def newest_change() -> float:
    return max(path.stat().st_mtime for path in (ROOT / "src").rglob("*.py"))


if __name__ == "__main__":
    main()
