"""The job that backs up the metadata store, and stores made from what it wrote."""

import shutil
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_plan_jobs import add, fill
from tests.integration.control.features.test_task_plans import later, newest, tables
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.features.datasource import connections
from zcbus.control.features.task_plan import backup_maker
from zcbus.control.features.task_plan.backup_maker import make_backups, release_claims
from zcbus.control.features.task_plan.runner import tick
from zcbus.control.store import backup
from zcbus.control.store.backup import BackupUnusableError, StoreInUseError, restore, write_backup
from zcbus.control.store.engine import Database
from zcbus.control.store.tables import metadata
from zcbus.control.store.tables.data_service import api_log
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.identity import department
from zcbus.control.store.tables.sql_management import sql_run
from zcbus.kit.ids import new_id

BACKUP = {"type": "backup", "backup": {"keep": 2}}


def begin(plane: ControlPlane, caller: Caller, plan: str) -> None:
    caller.call("task/plan/run", {"id": plan})
    tick(plane.services)


def back_up(plane: ControlPlane, caller: Caller, plan: str) -> Path:
    """Run the plan; the newest file that it wrote."""
    begin(plane, caller, plan)
    make_backups(plane.services)
    later(plane, seconds=3)
    assert newest(caller)["state"] == "succeeded", newest(caller)
    return files(plane, plan)[-1]


def files(plane: ControlPlane, plan: str) -> list[Path]:
    return sorted(backup_maker.folder_of(plane.services, plan).iterdir())


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, as values of Python."""
    with database.read() as store:
        return {
            table.name: sorted((tuple(row) for row in store.execute(sa.select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def add_departments(plane: ControlPlane) -> None:
    """A tree whose ids are in no order of the tree."""
    now, ids = plane.clock.now(), sorted((new_id() for _ in range(3)), reverse=True)
    with plane.services.database.write() as store:
        for number, identifier in enumerate(ids):
            values: dict[str, Any] = {
                column.name: {"id": identifier, "parent_id": ids[number - 1] if number else None}.get(
                    column.name, "default" if column.name == "tenant_id" else _filler(column, now, number)
                )
                for column in department.c
            }
            store.execute(department.insert().values(**values))


def _filler(column: sa.Column[Any], now: Any, number: int) -> Any:
    if column.nullable:
        return None
    kind = column.type.python_type if not isinstance(column.type, sa.TypeDecorator) else None
    return {str: f"d{number}", int: number, bool: True}.get(kind, now)  # type: ignore[arg-type]


@pytest.mark.wide
@pytest.mark.every_store
def test_a_backup_restored_into_either_store_is_the_installation(
    agent: FakeAgent, admin: Caller, store_url: str, tmp_path: Path
) -> None:
    plane = agent.plane
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    add_departments(plane)
    made = add(admin, "nightly", BACKUP)
    begin(plane, admin, made)
    before = rows(plane.services.database)
    make_backups(plane.services)
    [path] = files(plane, made)
    assert (path.suffix, stat.S_IMODE(path.stat().st_mode)) == (".db", 0o600)
    later(plane, seconds=3)
    [(name, (done, said))] = tables(admin).items()
    assert (name, done) == (path.name, True)
    assert " MB in " in said
    assert f"backups/{made}/{path.name}" in said
    # What is done to the store afterwards is not in it.
    admin.call("task/plan/delete", {"id": made})

    restore(path, store_url)
    restored = Database(store_url)
    try:
        found = rows(restored)
        # The run that wrote it is open in it, claimed by who wrote it.
        assert found.pop("task_run") != before.pop("task_run")
        assert found == before
        release_claims(restored)
    finally:
        restored.close()
    with pytest.raises(StoreInUseError):
        restore(path, store_url)

    shutil.copytree(plane.data_dir, tmp_path / "second" / "var")
    with control_plane(tmp_path / "second", store_url) as second:
        caller = Caller(second, second.sign_in())
        assert [link["name"] for link in caller.call("sync/link/page")["records"]] == ["shop"]
        with second.services.database.read() as store:
            source = store.execute(sa.select(data_source.c.id).where(data_source.c.kind == "mysql")).scalar_one()
            opened = connections.open_stored(store, second.services.secrets, source)
        assert opened.secrets["password"].get_secret_value() == "secret-1"
        # The run continues, with a file of its own.
        make_backups(second.services)
        later(second, seconds=3)
        assert (newest(caller)["state"], newest(caller)["attempt"]) == ("succeeded", 1)


@pytest.mark.wide
@pytest.mark.every_store
def test_a_backup_has_one_state_of_a_store_that_is_written(plane: ControlPlane, tmp_path: Path) -> None:
    database, now, stopping = plane.services.database, plane.clock.now(), threading.Event()

    def write() -> int:
        written = 0
        while not stopping.is_set():
            with database.write() as store:
                fill(store, api_log, now)
                fill(store, sql_run, now)
            written += 1
        return written

    with ThreadPoolExecutor(2) as pool:
        writers = [pool.submit(write) for _ in range(2)]
        counts = []
        for number in range(8):
            path = tmp_path / f"{number}.db"
            write_backup(database, path)
            with closing(sqlite3.connect(path)) as file:
                [both] = file.execute("SELECT (SELECT count(*) FROM api_log), (SELECT count(*) FROM sql_run)")
            counts.append(both)
        stopping.set()
        assert sum(writer.result() for writer in writers) > counts[-1][0] > counts[0][0]
    assert [calls for calls, _ in counts] == [runs for _, runs in counts]


def test_so_many_are_kept_as_the_plan_says(plane: ControlPlane, admin: Caller) -> None:
    made, other = add(admin, "a", BACKUP), add(admin, "b", BACKUP)
    kept = back_up(plane, admin, other)
    written = [back_up(plane, admin, made) for _ in range(4)]
    assert files(plane, made) == written[2:]
    assert files(plane, other) == [kept]


def test_a_backup_that_cannot_be_written_is_no_success_and_leaves_nothing(
    plane: ControlPlane, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = add(admin, "a", BACKUP)

    def damage(partial: Path) -> None:
        with partial.open("r+b") as file:
            file.seek(5_000)
            file.write(b"\xff" * 20_000)

    original = backup.check
    monkeypatch.setattr(backup, "check", lambda partial: (damage(partial), original(partial)))
    begin(plane, admin, made)
    make_backups(plane.services)
    later(plane, seconds=3)
    assert (newest(admin)["state"], newest(admin)["reason"]["code"]) == ("failed", "backup-failed")
    assert files(plane, made) == []
    monkeypatch.undo()
    folder = backup_maker.folder_of(plane.services, made)
    folder.rmdir()
    folder.write_text("in the way")
    begin(plane, admin, made)
    make_backups(plane.services)
    later(plane, seconds=3)
    assert "File exists" in newest(admin)["reason"]["text"]


def test_a_file_is_written_once_and_not_for_a_run_that_is_over(plane: ControlPlane, admin: Caller) -> None:
    made = add(admin, "a", BACKUP, timeoutSeconds=60)
    begin(plane, admin, made)
    [run_id] = [newest(admin)["id"]]
    other = replace(plane.services, process_id="another")
    claimed = backup_maker._claim(other, run_id)
    assert claimed is not None
    assert backup_maker._claim(plane.services, run_id) is None
    make_backups(plane.services)
    # Its control plane is killed, or slow: the run ends by its time-out, and the late file is removed.
    later(plane, seconds=61)
    assert newest(admin)["state"] == "timed-out"
    backup_maker._make(other, claimed)
    assert files(plane, made) == []
    assert newest(admin)["state"] == "timed-out"


def test_only_who_administers_the_platform_may_back_it_up(plane: ControlPlane, admin: Caller) -> None:
    add_user(plane, "boss-north", "administrator", "north")
    boss = Caller(plane, plane.sign_in("boss-north"))
    answer = plane.post(
        "task/plan/add",
        {"name": "b", "trigger": "cron", "cron": "0 2 * * *", "timeZone": "UTC", "job": BACKUP},
        boss.token,
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_no_store_is_made_from_what_is_no_backup(plane: ControlPlane, tmp_path: Path, content: bytes | None) -> None:
    path, store = tmp_path / "backup.db", tmp_path / "new.db"
    if content is None:
        write_backup(plane.services.database, path)
        with sqlite3.connect(path) as file:
            file.execute("UPDATE alembic_version SET version_num = '9999'")
    else:
        path.write_bytes(content)
    with pytest.raises(BackupUnusableError):
        restore(path, f"sqlite:///{store}")
    assert not store.exists()
