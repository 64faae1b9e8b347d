"""The tutorial: every command in it is run, in its order, against a platform started as it says and a real server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.servers.postgresql import PostgreSQLServer
from tests.support.pages import DOCS
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until

from zcbus.demo.embedded import program
from zcbus.demo.platform_link import LINK

pytestmark = pytest.mark.server

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
START = "make run\n"
PSQL = program("psql").parent


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of each block of code."""
    return BLOCK.findall((DOCS / page).read_text("utf-8"))


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[Platform]:
    # As `make run` starts it.
    with running_platform(tmp_path / "var", demo="1") as running:
        wait_until(lambda: has_demo(running), 60, "the demo's link is made")
        running.wait(LINK, "incremental-running")
        yield running


def has_demo(platform: Platform) -> bool:
    with platform.api() as api:
        return any(link["name"] == LINK for link in api.call("sync/link/page", {"current": 1, "size": -1})["records"])


def test_both_languages_have_the_same_commands() -> None:
    assert blocks("tutorial.zh.md") == blocks("tutorial.md")


def test_make_run_starts_the_platform_with_its_demo() -> None:
    recipe = (DOCS.parent / "Makefile").read_text("utf-8")
    assert re.search(r"^run:.*\n\t@ZCBUS_DEMO=\$\$\{ZCBUS_DEMO:-1\} exec \.venv/bin/zcbus serve$", recipe, re.MULTILINE)


@pytest.mark.wide
def test_every_command_works(platform: Platform, postgres_server: PostgreSQLServer, tmp_path: Path) -> None:
    (_, first), *rest = blocks("tutorial.md")
    assert first == START
    link = next(text for language, text in rest if language == "yaml")
    (tmp_path / "bookshop.yaml").write_text(link.replace("port: 5432", f"port: {postgres_server.port}"), "utf-8")
    outputs = run_in_one_shell(
        [text for language, text in rest if language == "sh"], platform, postgres_server, tmp_path
    )
    assert LINK in outputs[0]
    assert "incremental-running" in outputs[0]
    assert "logical" in outputs[1]
    assert "19.90" in outputs[4]
    assert "红楼梦" in outputs[4]
    assert "Goethe" in outputs[5]


def run_in_one_shell(commands: list[str], platform: Platform, server: PostgreSQLServer, folder: Path) -> list[str]:
    """What each block printed. A command that fails ends the shell."""
    script = "".join(f"{text}echo '--- next block'\n" for text in commands)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("ZCBUS_", "PG"))},
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), str(PSQL), os.environ["PATH"])),
        "ZCBUS_DATA_DIR": str(platform.data_dir),
        "ZCBUS_PORT": str(platform.port),
        "PGPORT": str(server.port),
        "PGPASSWORD": server.password,
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{platform.worker_logs()}"
    return done.stdout.split("--- next block\n")
