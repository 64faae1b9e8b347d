"""`zcbus link …` as an operator's scripts use it, on a running platform and real servers."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until

pytestmark = pytest.mark.server

STATUS_KEYS = {"source", "target", "state", "rowsLoaded", "inserts", "updates", "deletes", "lagMs", "errors", "reason"}


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("platform") / "var") as running:
        yield running


def zcbus(platform: Platform, *arguments: str, fails: bool = False, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-m", "zcbus.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        env={**os.environ, "ZCBUS_DATA_DIR": str(platform.data_dir), "ZCBUS_PORT": str(platform.port), **environment},
    )
    assert (result.returncode != 0) == fails, f"{result.stdout}\n{result.stderr}\n{platform.worker_logs()}"
    return result.stderr if fails else result.stdout


def status(platform: Platform, name: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(zcbus(platform, "link", "status", name, "--json"))
    return answer


def link_file(folder: Path, name: str, source: Server, target: Server, **more: Any) -> Path:
    def side(server: Server, database: str, password: str) -> dict[str, Any]:
        options = server.options(database)
        return {
            "kind": options.kind,
            "host": options.host,
            "port": options.port,
            "user": options.user,
            "password": {"env": password},
            "database": database,
        }

    document = {
        "link": name,
        "source": side(source, source.fresh_database("src"), "SRC_PASSWORD"),
        "target": side(target, target.fresh_database("dst"), "DST_PASSWORD"),
        "tables": ["*.*"],
        "load": "full+incremental",
        "clean": "drop",
        **more,
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(document, allow_unicode=True))
    return path


def passwords(source: Server, target: Server) -> dict[str, str]:
    return {"SRC_PASSWORD": source.password or "", "DST_PASSWORD": target.password or ""}


def databases(path: Path) -> tuple[str, str]:
    document = yaml.safe_load(path.read_text())
    return document["source"]["database"], document["target"]["database"]


def test_the_life_of_a_link(
    platform: Platform, postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    path = link_file(tmp_path, "life", postgres_server, mariadb_server)
    secrets = passwords(postgres_server, mariadb_server)
    source, target = databases(path)
    for statement in (
        "CREATE TABLE artist (id int PRIMARY KEY, name text NOT NULL)",
        "CREATE TABLE album (id int PRIMARY KEY, artist int, title varchar(100))",
        "INSERT INTO artist SELECT n, '艺术家 ' || n FROM generate_series(1, 1000) n",
        "INSERT INTO album SELECT n, n, 'album ' || n FROM generate_series(1, 50) n",
    ):
        postgres_server.execute(statement, source)

    def titles() -> list[Any]:
        return mariadb_server.rows("SELECT id, title FROM album ORDER BY id", target)

    zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", "--timeout", "90", **secrets)
    answer = status(platform, "life")
    assert answer["name"] == "life"
    assert answer["state"] == "incremental-running"
    assert all(table.keys() >= STATUS_KEYS for table in answer["tables"])
    assert {table["source"]: table["rowsLoaded"] for table in answer["tables"]} == {
        "public.artist": 1000,
        "public.album": 50,
    }
    assert len(titles()) == 50

    postgres_server.execute("UPDATE album SET title = 'changed' WHERE id = 7", source)
    postgres_server.execute("DELETE FROM album WHERE id = 8", source)
    wait_until(lambda: (7, "changed") in titles() and len(titles()) == 49, 20, "changes arrive")

    zcbus(platform, "link", "pause", "life", "--wait", "suspended")
    postgres_server.execute("INSERT INTO album VALUES (1001, 1, 'while paused')", source)
    zcbus(platform, "link", "resume", "life", "--wait", "incremental-running")
    wait_until(lambda: (1001, "while paused") in titles(), 20, "what happened during the pause arrives")

    mariadb_server.execute("DELETE FROM album WHERE id > 20", target)
    zcbus(platform, "link", "reload", "life", "public.album", "--wait", "incremental-running")
    assert len(titles()) == 50
    counters = {table["source"]: table["rowsLoaded"] for table in status(platform, "life")["tables"]}
    assert counters["public.album"] == 50

    zcbus(platform, "link", "stop", "life", "--wait", "stopped")
    postgres_server.execute("DELETE FROM album WHERE id = 1001", source)
    zcbus(platform, "link", "start", "life", "--wait", "incremental-running")
    wait_until(lambda: len(titles()) == 49, 20, "what happened while stopped arrives")

    zcbus(platform, "link", "delete", "life")
    assert "life" not in zcbus(platform, "link", "list")
    assert len(titles()) == 49, "the target's data stays"
    slots = "SELECT count(*) FROM pg_replication_slots WHERE database = %s"
    wait_until(lambda: postgres_server.rows(slots, source, (source,)) == [(0,)], 30, "the slot is removed")

    # From the recycle bin it begins with a full load, and then takes changes, like a new one.
    postgres_server.execute("INSERT INTO album VALUES (2001, 1, 'while deleted')", source)
    postgres_server.execute("DELETE FROM album WHERE id = 7", source)
    with platform.api() as api:
        [deleted] = api.call("resource/recycleBin/page", {"kind": "sync-link", "search": "life"})["records"]
        api.call("resource/recycleBin/restore", {"id": deleted["id"]})
    assert status(platform, "life")["state"] == "stopped"
    zcbus(platform, "link", "start", "life", "--wait", "incremental-running")
    assert titles() == postgres_server.rows("SELECT id, title FROM album ORDER BY id", source)
    postgres_server.execute("UPDATE album SET title = 'restored' WHERE id = 9", source)
    wait_until(lambda: (9, "restored") in titles(), 20, "changes arrive again")
    zcbus(platform, "link", "delete", "life")


def test_export_holds_no_secret_and_applies_again(platform: Platform, postgres_server: Server, tmp_path: Path) -> None:
    path = link_file(tmp_path, "export", postgres_server, postgres_server)
    secrets = passwords(postgres_server, postgres_server)
    source, target = databases(path)
    postgres_server.execute("CREATE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)", source)
    zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", **secrets)
    exported = zcbus(platform, "link", "export", "export")
    document = yaml.safe_load(exported)
    assert document["link"] == "export"
    assert document["source"]["database"] == source
    assert set(document["source"]["password"]) == {"env"}
    again = tmp_path / "again.yaml"
    again.write_text(exported)
    named = {document[side]["password"]["env"]: secrets["SRC_PASSWORD"] for side in ("source", "target")}
    zcbus(platform, "link", "apply", str(again), "--wait", "incremental-running", **named)
    assert postgres_server.rows("SELECT id FROM one", target) == [(1,)]


def test_applying_a_file_again_with_another_table_loads_only_that_table(
    platform: Platform, postgres_server: Server, tmp_path: Path
) -> None:
    path = link_file(tmp_path, "grows", postgres_server, postgres_server, tables=["public.first"])
    secrets = passwords(postgres_server, postgres_server)
    source, target = databases(path)
    postgres_server.execute("CREATE TABLE first (id int PRIMARY KEY); CREATE TABLE second (id int PRIMARY KEY)", source)
    postgres_server.execute("INSERT INTO first VALUES (1); INSERT INTO second VALUES (1)", source)
    zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", **secrets)
    document = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**document, "tables": ["public.first", "public.second"]}))
    zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", **secrets)
    postgres_server.execute("INSERT INTO second VALUES (2); INSERT INTO first VALUES (2)", source)
    for table in ("first", "second"):
        query = f"SELECT count(*) FROM {table}"
        wait_until(lambda q=query: postgres_server.rows(q, target) == [(2,)], 20, f"changes of {table} arrive")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"load": "sometimes"}, "load"),
        ({"tables": ["public.nothing_like_this"]}, "nothing_like_this"),
        ({"clean": "wipe"}, "clean"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason_and_changes_nothing(
    platform: Platform, postgres_server: Server, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    path = link_file(tmp_path, "wrong", postgres_server, postgres_server, **change)
    complaint = zcbus(platform, "link", "apply", str(path), fails=True, **passwords(postgres_server, postgres_server))
    assert words in complaint
    assert "Traceback" not in complaint
    assert "wrong" not in zcbus(platform, "link", "list")


def test_a_wrong_password_is_said_and_never_shown(
    platform: Platform, postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    path = link_file(tmp_path, "denied", mariadb_server, postgres_server)
    secrets = {**passwords(mariadb_server, postgres_server), "SRC_PASSWORD": "not-the-Passw0rd"}
    complaint = zcbus(platform, "link", "apply", str(path), fails=True, **secrets)
    assert "not-the-Passw0rd" not in complaint
    assert "root" in complaint
    assert "not-the-Passw0rd" not in platform.log.read_text()


@pytest.mark.wide
def test_a_missing_variable_is_named(platform: Platform, postgres_server: Server, tmp_path: Path) -> None:
    path = link_file(tmp_path, "variable", postgres_server, postgres_server)
    assert "SRC_PASSWORD" in zcbus(platform, "link", "apply", str(path), fails=True)


@pytest.mark.soak
def test_rows_that_the_target_refuses(
    platform: Platform, postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    path = link_file(tmp_path, "dirty", postgres_server, mariadb_server)
    source, target = databases(path)
    postgres_server.execute("CREATE TABLE one (id int PRIMARY KEY, amount int)", source)
    zcbus(
        platform,
        "link",
        "apply",
        str(path),
        "--wait",
        "incremental-running",
        **passwords(postgres_server, mariadb_server),
    )
    mariadb_server.execute("ALTER TABLE one ADD CONSTRAINT small CHECK (amount < 100)", target)
    postgres_server.execute("INSERT INTO one VALUES (1, 1), (2, 200), (3, 300), (4, 4)", source)

    def errors(*options: str) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = json.loads(zcbus(platform, "link", "errors", "dirty", "--json", *options))
        return answer

    wait_until(lambda: len(errors()) == 2, 30, "both rows are kept")
    counted = "dirty: incremental-running, 2 open errors"
    wait_until(lambda: counted in zcbus(platform, "link", "status", "dirty"), 30, "the link's status counts them")
    assert "rowErrors=2" in zcbus(platform, "link", "list")
    found = {error["key"]["id"]: error for error in errors()}
    assert "small" in found["2"]["detail"]
    assert mariadb_server.rows("SELECT id FROM one ORDER BY id", target) == [(1,), (4,)]
    assert "small" in zcbus(platform, "link", "errors", "dirty")
    zcbus(platform, "link", "skip-errors", "dirty", "--id", found["3"]["id"])
    mariadb_server.execute("ALTER TABLE one DROP CONSTRAINT small", target)
    zcbus(platform, "link", "retry-errors", "dirty", "--all")
    wait_until(lambda: not errors(), 30, "both are over")
    assert mariadb_server.rows("SELECT * FROM one ORDER BY id", target) == [(1, 1), (2, 200), (4, 4)]
    assert {error["note"] for error in errors("--all")} == {"Skipped", "Retried successfully"}
    zcbus(platform, "link", "error-limit", "dirty", "public.one", "--errors", "0")
    zcbus(platform, "link", "delete", "dirty")


def test_rewritten_values_stop_a_table_until_it_is_loaded_again(
    platform: Platform, postgres_server: Server, tmp_path: Path
) -> None:
    """The log has the changed row only, in the same transaction. The console's command makes the table equal."""
    path = link_file(tmp_path, "rewritten", postgres_server, postgres_server)
    source, target = databases(path)
    for statement in (
        "CREATE TABLE t (id int PRIMARY KEY, n int)",
        "CREATE TABLE other (id int PRIMARY KEY)",
        "INSERT INTO t VALUES (1, 1), (2, 2)",
    ):
        postgres_server.execute(statement, source)
    secrets = passwords(postgres_server, postgres_server)
    zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", "--timeout", "90", **secrets)
    postgres_server.execute(
        "BEGIN; ALTER TABLE t ALTER n TYPE bigint USING n * 10; UPDATE t SET n = 7 WHERE id = 1; COMMIT", source
    )

    def table(name: str = "public.t") -> dict[str, Any]:
        [found] = [one for one in status(platform, "rewritten")["tables"] if one["source"] == name]
        return dict(found)

    wait_until(lambda: table()["state"] == "incremental-error", 60, "the table stops")
    assert "changed n" in json.dumps(table()["reason"]), table()
    assert table("public.other")["state"] == "incremental-running"
    with platform.api() as api:
        api.call("sync/link/table/reload", {"name": "rewritten", "tables": ["public.t"]})
    wait_until(lambda: table()["state"] == "incremental-running", 60, "the table runs again")
    rows = "SELECT id, n FROM t ORDER BY id"
    assert postgres_server.rows(rows, target) == [(1, 7), (2, 20)]
    postgres_server.execute("UPDATE t SET n = 8 WHERE id = 2", source)
    wait_until(lambda: postgres_server.rows(rows, target) == [(1, 7), (2, 8)], 60, "changes behind it arrive")
    assert table()["state"] == "incremental-running"
    zcbus(platform, "link", "delete", "rewritten")
