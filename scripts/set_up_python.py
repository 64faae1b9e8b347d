"""Makes `.venv` from the lock file. Runs before anything is installed: standard library only.

Uses uv from the PATH, else installs it into `.uv` with pip, which honours the PIP_* settings of the environment. Where
these name a mirror (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL), the locked versions and hashes are fetched from there.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036  this script runs under whatever `python3` is
        sys.exit("Python 3.11 or newer is needed; name it with `make PYTHON=python3.12 …`.")
    uv = find_uv()
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    environment["UV_PROJECT_ENVIRONMENT"] = str(ROOT / ".venv")
    if os.environ.get("PIP_INDEX_URL"):
        install_from_mirror(uv, environment)
    else:
        run([uv, "sync", "--frozen", "--python", sys.executable], environment)


def find_uv() -> str:
    """Path of a uv program, installed into `.uv` where there is none."""
    found = shutil.which("uv")
    own = ROOT / ".uv" / "bin" / "uv"
    if found or own.exists():
        return found or str(own)
    run([sys.executable, "-m", "venv", str(ROOT / ".uv")], dict(os.environ))
    run([str(ROOT / ".uv" / "bin" / "pip"), "install", "--quiet", "uv"], dict(os.environ))
    return str(own)


def install_from_mirror(uv: str, environment: dict[str, str]) -> None:
    """The same packages as `uv sync`, from the index that pip was told to use."""
    environment["UV_DEFAULT_INDEX"] = os.environ["PIP_INDEX_URL"]
    if os.environ.get("PIP_EXTRA_INDEX_URL"):
        environment["UV_INDEX"] = os.environ["PIP_EXTRA_INDEX_URL"]
    environment["VIRTUAL_ENV"] = str(ROOT / ".venv")
    run([uv, "venv", "--allow-existing", "--python", sys.executable, str(ROOT / ".venv")], environment)
    with tempfile.TemporaryDirectory() as folder:
        locked = str(Path(folder) / "locked.txt")
        run([uv, "export", "--quiet", "--frozen", "--all-groups", "--no-emit-project", "-o", locked], environment)
        run([uv, "pip", "sync", "--require-hashes", locked], environment)
    run([uv, "pip", "install", "--no-deps", "--editable", str(ROOT)], environment)


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run a program; end with its exit code if it fails."""
    code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    if code:
        sys.exit(f"{' '.join(command)} failed with exit code {code}")


if __name__ == "__main__":
    main()
