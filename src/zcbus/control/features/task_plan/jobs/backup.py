"""Backup of the metadata store, which `task_plan.backup_maker` writes outside of the run's transactions."""

from collections.abc import Sequence

from zcbus.control.features.task_plan.job_input import BackupInput, JobInput
from zcbus.control.features.task_plan.jobs.base import JobCall, RunProgress, TableProgress, said
from zcbus.control.features.task_plan.states import RunState
from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation

# Every tenant's data is in it: only who looks after the whole platform may have it written.
_ADMINISTER = authorise("system/bus-sys-parameter", Operation.EDIT)


class _Backup:
    """Done when the file is whole, checked and on disk."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        return (_ADMINISTER,)

    def admit(self, call: Call, given: JobInput) -> None:
        """There is nothing that could be missing."""

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        name = f"zcbus-{job.now:%Y%m%d-%H%M%S}.db"
        job.call.audit.subject = name
        job.call.audit.after = asked_of(job.job).model_dump(mode="json", by_alias=True)
        return RunProgress([TableProgress(id=name, table=name, done=None, code="", facts={}, mark=0, again=True)])

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        [file] = tables
        if file["done"] is None:
            return RunProgress(tables)
        result = said(file["code"], **file["facts"])
        if file["done"]:
            return RunProgress(tables, RunState.SUCCEEDED, outcome=result)
        return RunProgress(tables, RunState.FAILED, result)

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        """Who writes the file finds that the run is over, and removes it."""


def asked_of(job: JobInput) -> BackupInput:
    """What a job of this type requests."""
    if job.backup is None:
        raise RuntimeError(f"a job of type {job.type} writes no backup")
    return job.backup


BACKUP = _Backup()
