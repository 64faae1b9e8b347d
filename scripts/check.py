"""Runs every static check, as many at once as there are processors, and shows the output of those that fail.

Arguments: names of checks; none: all.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = ROOT / "console"
BIN = Path(sys.executable).parent

COLOURS = re.compile(r"\x1b\[[0-9;]*m")

CHECKS: dict[str, tuple[Path, list[str]]] = {
    "format": (ROOT, [f"{BIN}/ruff", "format", "--check", "."]),
    "lint": (ROOT, [f"{BIN}/ruff", "check", "."]),
    "types": (ROOT, [f"{BIN}/mypy"]),
    "layers": (ROOT, [f"{BIN}/lint-imports"]),
    "dependencies": (ROOT, [sys.executable, "scripts/check_dependencies.py"]),
    "features": (ROOT, [sys.executable, "scripts/check_features.py"]),
    "chains": (ROOT, [sys.executable, "scripts/check_chains.py"]),
    "dialects": (ROOT, [sys.executable, "scripts/check_dialects.py"]),
    "positions": (ROOT, [sys.executable, "scripts/check_positions.py"]),
    "words": (ROOT, [sys.executable, "scripts/check_words.py"]),
    "states": (ROOT, [sys.executable, "scripts/check_states.py"]),
    "specification": (ROOT, [sys.executable, "scripts/check_specification.py"]),
    "docs": (ROOT, [sys.executable, "scripts/check_docs.py"]),
    "migrations": (ROOT, [sys.executable, "scripts/check_migrations.py"]),
    "console-lint": (CONSOLE, ["npm", "run", "--silent", "lint"]),
    "console-types": (CONSOLE, ["npm", "run", "--silent", "typecheck"]),
    "translations": (CONSOLE, ["npm", "run", "--silent", "i18n"]),
    "menu": (CONSOLE, ["npm", "run", "--silent", "menu", "--", "--check"]),
    "texts": (CONSOLE, ["npm", "run", "--silent", "texts", "--", "--check"]),
    "generated-client": (ROOT, [sys.executable, "scripts/check_generated_client.py"]),
}

ALONE = ("console-lint",)
"""These see files that others make for a moment."""
LONGEST = ("types", "words", "docs", "console-types", "generated-client")
"""These begin first, so that none is left to run alone at the end."""


def run(name: str) -> bool:
    """Run one check; True if it passed."""
    folder, command = CHECKS[name]
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        environment = {**os.environ, "CI": "1"}
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
        )
        passed = done.returncode == 0
        said = [f"{'ok    ' if passed else 'FAILED'} {name} ({time.monotonic() - began:.1f} s)"]
        if not passed:
            output.seek(0)
            said.append(COLOURS.sub("", output.read()))
    print("\n".join(said), flush=True)  # at once: others run at the same time
    return passed


def main() -> None:
    names = sys.argv[1:] or list(CHECKS)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        sys.exit(f"no such check: {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    results = {name: run(name) for name in names if name in ALONE}
    others = sorted((name for name in names if name not in ALONE), key=lambda name: name not in LONGEST)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results |= zip(others, pool.map(run, others), strict=True)
    failed = [name for name in names if not results[name]]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
