"""Programs of others: kept out of the product, in environments of their own below bench/results, made when they are
first needed. Where that is not possible the reason is printed."""

import json
import subprocess
import sys
import venv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

from tests.servers.base import Server

from bench.report import LATEST

_HERE = Path(__file__).parent
SECONDS = 900


@cache
def environment(requirements: str) -> Path | None:
    """The interpreter of the environment that has what a file beside this one lists; None: it cannot be made."""
    wanted = _HERE / requirements
    folder = LATEST.parent / wanted.stem
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted.read_text():
        return python
    venv.create(folder, with_pip=True, clear=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(wanted)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"what {requirements} lists is left out: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return None
    stamp.write_text(wanted.read_text())
    return python


def answer(python: Path | None, script: str, settings: Mapping[str, object]) -> dict[str, float]:
    """What a script beside this one prints last; its argument are settings as JSON.

    It runs where results are kept: some peers leave logs where they stand.
    """
    command = [str(python), str(_HERE / script), json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=LATEST.parent)
    assert done.returncode == 0, f"{script}: {done.stderr[-2000:]}"
    said: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return said


def url(server: Server, database: str, scheme: str = "") -> str:
    """Address of a database; `scheme`: unless the kind's own."""
    address = f"{server.user}:{quote(server.password)}@{server.host}:{server.port}/{database}"
    return f"{scheme or server.kind}://{address}"
