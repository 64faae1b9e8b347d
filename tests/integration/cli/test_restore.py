"""A platform whose metadata store was lost, restored from what a task plan wrote: its links continue."""

import json
from pathlib import Path

import pytest
import yaml
from tests.integration.cli.test_links_as_code import databases, link_file, passwords, status, zcbus
from tests.servers.base import Server
from tests.support.platform import running_platform
from tests.support.processes import wait_until

pytestmark = pytest.mark.server


@pytest.mark.soak
def test_links_continue_on_a_restored_store(postgres_server: Server, mariadb_server: Server, tmp_path: Path) -> None:
    path = link_file(tmp_path, "kept", postgres_server, mariadb_server)
    source, target = databases(path)
    postgres_server.execute("CREATE TABLE t (id int PRIMARY KEY)", source)
    postgres_server.execute("INSERT INTO t SELECT generate_series(1, 1000)", source)

    def rows() -> list[int]:
        return [int(row[0]) for row in mariadb_server.rows("SELECT id FROM t ORDER BY id", target)]

    with running_platform(tmp_path / "var") as platform:
        secrets = passwords(postgres_server, mariadb_server)
        zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", "--timeout", "120", **secrets)
        plan = {"plan": "safety", "trigger": "cron", "cron": "0 2 * * *", "timeZone": "UTC"}
        file = tmp_path / "plan.yaml"
        file.write_text(yaml.safe_dump({**plan, "job": {"type": "backup", "backup": {"keep": 2}}}))
        zcbus(platform, "plan", "apply", str(file))
        assert "safety: succeeded" in zcbus(platform, "plan", "run", "safety", "--wait", "--timeout", "60")
        [backup] = (platform.data_dir / "backups").glob("*/zcbus-*.db")
        # Applied behind the backup: a restored store must neither lose nor repeat it.
        postgres_server.execute("UPDATE t SET id = 2000 WHERE id = 1", source)
        wait_until(lambda: rows()[-1] == 2000, 60, "the change behind the backup is applied")

        platform.stop()
        # Only an empty store is filled.
        assert "zcbus.db" in zcbus(platform, "restore", str(backup), fails=True)
        for lost in platform.data_dir.glob("zcbus.db*"):
            lost.unlink()
        postgres_server.execute("DELETE FROM t WHERE id = 2", source)
        assert "zcbus audit accept" in zcbus(platform, "restore", str(backup))
        zcbus(platform, "audit", "accept")
        platform.start()
        wait_until(lambda: status(platform, "kept")["state"] == "incremental-running", 120, "the link runs on")
        postgres_server.execute("INSERT INTO t VALUES (3000)", source)
        wait_until(lambda: rows() == [*range(3, 1001), 2000, 3000], 60, "every change is applied once")
        zcbus(platform, "audit", "verify")

        # The run that wrote the backup was open in it, and writes another one.
        def runs() -> list[str]:
            with platform.api() as api:
                return [run["state"] for run in api.call("task/run/page", {})["records"]]

        wait_until(lambda: runs() == ["succeeded"], 60, "the run of the backup ends")
        assert json.loads(zcbus(platform, "plan", "list", "--json"))[0]["name"] == "safety"
