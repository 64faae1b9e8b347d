"""Writing of backups that runs of plans wait for.

It takes as long as the store is large, so it is done in a thread of its own and outside of the run's transactions. A
control plane claims the file in the run's row first. When it dies meanwhile, another one writes a file of its own.
"""

from pathlib import Path
from socket import gethostname
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.task_plan import repository
from zcbus.control.features.task_plan.claims import claim, is_free, is_own
from zcbus.control.features.task_plan.job_input import JobInput, JobType
from zcbus.control.features.task_plan.jobs.backup import asked_of
from zcbus.control.platform.services import Services
from zcbus.control.store.backup import write_backup
from zcbus.control.store.engine import Database
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger

FOLDER = "backups"
_log = get_logger("control.backup")


def make_backups(services: Services) -> None:
    """Write the files that open runs wait for. Several control planes may run it at once: one of them writes a file."""
    with services.database.read() as store:
        waiting = repository.running_of(store, JobType.BACKUP)
    for run_id in waiting:
        run = _claim(services, run_id)
        if run is not None:
            _make(services, run)


def folder_of(services: Services, plan_id: str) -> Path:
    """Where the backups of a plan are, on the host of the control plane that wrote them."""
    return services.settings.data_dir / FOLDER / plan_id


def release_claims(database: Database) -> None:
    """In a store that was restored: the run that wrote the backup is open in it, and may write one again."""
    with database.write() as store:
        for run_id in repository.running_of(store, JobType.BACKUP):
            run = repository.lock_run(store, run_id)
            if run is not None:
                repository.change_run(store, run_id, {"tables": [{**one, "mark": 0} for one in run.tables]})


def _claim(services: Services, run_id: str) -> Row[Any] | None:
    with services.database.write() as store:
        run = repository.lock_run(store, run_id)
        if run is None or not run.tables or not is_free(store, services, run.tables[0]):
            return None
        repository.change_run(store, run_id, {"tables": [{**run.tables[0], **claim(services)}]})
        return run


def _make(services: Services, run: Row[Any]) -> None:
    [item] = run.tables
    path = folder_of(services, run.plan_id) / item["id"]
    try:
        size = write_backup(services.database, path)
    except ZcbusError as error:
        _log.error("backup failed", path=str(path), exc_info=error)
        facts = {name: str(value) for name, value in error.facts.items()}
        _end(services, run, {"done": False, "code": error.code, "facts": facts})
        return
    file = f"{gethostname()}:{path.relative_to(services.settings.data_dir)}"
    facts = {"file": file, "mb": f"{size / 1_000_000:.1f}"}
    if _end(services, run, {"done": True, "code": "plan-backup-done", "facts": facts}):
        _prune(path.parent, asked_of(JobInput.model_validate(run.job)).keep)
    else:
        path.unlink(missing_ok=True)


def _end(services: Services, run: Row[Any], result: dict[str, Any]) -> bool:
    """Note the result; False: the attempt is over already, or another control plane has taken it up."""
    with services.database.write() as store:
        now = repository.lock_run(store, run.id)
        if now is None or now.attempt != run.attempt or not is_own(services, now.tables[0]):
            return False
        repository.change_run(store, run.id, {"tables": [{**now.tables[0], **result}]})
        return True


def _prune(folder: Path, keep: int) -> None:
    """Remove all but the newest backups of a plan; names are in the order of time."""
    for old in sorted(folder.glob("zcbus-*.db"))[:-keep]:
        old.unlink(missing_ok=True)
