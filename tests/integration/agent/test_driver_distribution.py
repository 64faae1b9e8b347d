"""A real agent fetches a real driver, and a connection is tested with it."""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.test_uploads import uploaded
from tests.servers.jdbc import H2Server
from tests.servers.maven import archive_of
from tests.support.control_plane import control_plane
from tests.support.processes import die_with_parent, wait_until
from tests.support.proxy import Proxy

from zcbus.connectors.registry import connector

pytestmark = [pytest.mark.server, pytest.mark.soak, pytest.mark.timeout(180)]
NAME = "h2-distributed.jar"


@contextmanager
def running_agent(folder: Path, url: str, token: str) -> Iterator[subprocess.Popen[bytes]]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ZCBUS_")}
    environment = clean | {"ZCBUS_DATA_DIR": str(folder), "ZCBUS_URL": url, "ZCBUS_TOKEN": token}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "zcbus.cli", "agent"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=die_with_parent,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def test_a_killed_fetch_is_made_good_and_the_driver_connects(
    h2_server: H2Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = archive_of(f"{H2Server.artifacts[0]}:jar").read_bytes()
    folder = tmp_path / "host"
    folder.mkdir()
    kept = folder / "agent" / "drivers" / NAME
    with control_plane(tmp_path / "control") as plane:
        admin = Caller(plane, plane.sign_in())
        upload = uploaded(admin, NAME, content[: 4 << 20], "/api/deploy/upload")
        given = {"name": NAME, "kind": "h2", "version": "2.3", "everywhere": True, "sha256": upload["sha256"]}
        driver = admin.call("deploy/driver/add", {"uploadId": upload["id"], **given})["id"]
        proxy = Proxy(int(plane.address.rpartition(":")[2]))
        proxy.delay = 0.2
        url = f"http://127.0.0.1:{proxy.port}"
        with running_agent(folder, url, plane.local_token()) as agent:
            fetched = kept.with_name(f".{NAME}.fetched")
            wait_until(
                lambda: fetched.exists() and fetched.stat().st_size > 0, 90, "the fetch is under way", pause=0.01
            )
            agent.send_signal(signal.SIGKILL)
            agent.wait(20)
        assert not kept.exists()
        proxy.delay = 0.0

        def states() -> list[str]:
            return [one["state"] for one in admin.call("deploy/driver/host/page", {"id": driver})["records"]]

        with running_agent(folder, url, plane.local_token()):
            wait_until(lambda: states() == ["present"], 90, "the host has it")
            assert [path.name for path in kept.parent.iterdir()] == [NAME]
            assert hashlib.sha256(kept.read_bytes()).hexdigest() == upload["sha256"]
            monkeypatch.setenv("ZCBUS_DATA_DIR", str(folder))
            monkeypatch.setenv("ZCBUS_DRIVERS_DIR", str(tmp_path / "none"))
            options = replace(h2_server.options(), driver=NAME)
            checks = connector("h2").tester().test(options, "source")
            assert [(one.item, one.ok) for one in checks][2:4] == [("driver", True), ("login", True)]
            admin.call("deploy/driver/delete", {"id": driver})
            wait_until(lambda: not kept.exists(), 60, "the host deleted it")
            failed = connector("h2").tester().test(options, "source")[-1]
            assert (failed.item, failed.ok, failed.advice) == ("driver", False, "driver")
        proxy.close()
