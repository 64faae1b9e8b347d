"""Checks that console/openapi.json is what the server offers, and that the console's client was made from it."""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = ROOT / "console"
DOCUMENT = CONSOLE / "openapi.json"
CLIENT = Path("src") / "shared" / "api" / "gen"
REMEDY = "    .venv/bin/python -m zcbus.control.openapi > console/openapi.json && npm --prefix console run generate"


def main() -> None:
    offered = subprocess.run(
        [sys.executable, "-m", "zcbus.control.openapi"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    if not DOCUMENT.exists() or DOCUMENT.read_bytes() != offered:
        sys.exit(f"console/openapi.json is not what the server offers. Make it anew:\n{REMEDY}")
    with tempfile.TemporaryDirectory(dir=CONSOLE) as folder:
        differing = differences(CONSOLE / CLIENT, generate(Path(folder)))
    if differing:
        sys.exit(f"the generated client is out of date: {', '.join(differing)}. Make it anew:\n{REMEDY}")


def generate(folder: Path) -> Path:
    """Generate the client in a folder of its own, by the console's own configuration."""
    for name in ("openapi.json", "openapi-ts.config.ts", "package.json", "biome.json", "tsconfig.json"):
        if (CONSOLE / name).exists():
            shutil.copy(CONSOLE / name, folder)
    for name in ("node_modules", "scripts"):
        (folder / name).symlink_to(CONSOLE / name)
    environment = {**os.environ, "CI": "1"}
    command = ["npm", "run", "--silent", "generate"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return folder / CLIENT


def differences(old: Path, new: Path) -> list[str]:
    """Names of files that differ or are on one side only."""
    names = {str(path.relative_to(side)) for side in (old, new) for path in side.rglob("*") if path.is_file()}
    same, _, _ = filecmp.cmpfiles(old, new, sorted(names), shallow=False)
    return sorted(names - set(same))


if __name__ == "__main__":
    main()
