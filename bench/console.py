"""The built console in a real browser, beside the goals that it was built for."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from bench.report import Result
from zcbus.control.bootstrap import build_services, prepare
from zcbus.control.platform.services import Services
from zcbus.control.server import serving
from zcbus.control.store.tables.audit import audit_record
from zcbus.kit.ids import new_id
from zcbus.kit.logging import configure_logging
from zcbus.kit.settings import load_settings

_CONSOLE = Path(__file__).parent.parent / "console"
_ROWS = 100_000
_BATCH = 5_000
_USER, _PASSWORD = "admin", "Console1234"


def run() -> Iterator[Result]:
    """Sizes, paints, the long table, accessibility. `ratio` is our figure divided by the goal: at most 1 is wanted."""
    browser = os.environ.get("ZCBUS_CHROMIUM", "/usr/bin/chromium")
    if shutil.which("node") is None or not Path(browser).exists():
        sys.stderr.write(f"console: skipped, it needs Node and {browser}\n")
        return
    configure_logging("ERROR")
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-console-") as folder:
        services = _services(folder)
        with serving(services) as address:
            yield from _measure(address)


def _services(folder: str) -> Services:
    names = {"DATA_DIR": folder, "PORT": "0", "LOGIN_CAPTCHA": "off", "ADMIN_PASSWORD": _PASSWORD}
    services = build_services(load_settings({f"ZCBUS_{name}": value for name, value in names.items()}))
    prepare(services)
    _fill(services)
    return services


def _fill(services: Services) -> None:
    """An operation log as long as a busy year's."""
    now = services.clock.now()
    values = {"tenant_id": "default", "user_name": _USER, "address": "127.0.0.1", "request_id": "bench", "path": "/"}
    for begin in range(0, _ROWS, _BATCH):
        rows = [
            {
                **values,
                "id": new_id(),
                "recorded_at": now - timedelta(seconds=number),
                "action": f"sync-link_{number % 7}",
                "subject": f"link {number} of the installation",
                "result": "failed" if number % 50 == 0 else "done",
            }
            for number in range(begin, begin + _BATCH)
        ]
        with services.database.write() as connection:
            connection.execute(audit_record.insert(), rows)


def _measure(address: str) -> Iterator[Result]:
    command = ["node", "bench/measure.mjs", address, _USER, _PASSWORD]
    with subprocess.Popen(command, cwd=_CONSOLE, stdout=subprocess.PIPE, text=True) as browser:
        for line in browser.stdout or ():
            found = json.loads(line)
            limit = found["limit"]
            ratio = found["figure"] / limit if limit else None
            yield Result("console", found["case"], found["figure"], found["unit"], f"at most {limit}", ratio)
    if browser.returncode != 0:
        raise RuntimeError("the browser could not measure everything; it has said why above")
