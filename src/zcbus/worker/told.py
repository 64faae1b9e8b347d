"""What a worker is told: whole tasks, also where the agent hands on only what changed of one, and leases."""

from collections.abc import Iterator

from pydantic import TypeAdapter, ValidationError

from zcbus.kit.logging import get_logger
from zcbus.protocol.changes import changed_task
from zcbus.protocol.tasks import Task
from zcbus.protocol.worker_input import TaskChanges, WorkerInput, WorkerLease

_INPUT: TypeAdapter[WorkerInput] = TypeAdapter(WorkerInput)


class ReportCache:
    """Iterates over what the lines say, in their order; None: a line that says nothing. Ends with them."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._task: Task | None = None

    def __iter__(self) -> Iterator[Task | WorkerLease | None]:
        return self

    def __next__(self) -> Task | WorkerLease | None:
        told = _understood(next(self._lines))
        if told is None or isinstance(told, WorkerLease):
            return told
        self._task = self._whole(told) if isinstance(told, TaskChanges) else told
        return self._task

    def _whole(self, changes: TaskChanges) -> Task:
        """Raises ValueError where there is no task of their kind: the worker must not go on with another one."""
        if self._task is None:
            raise ValueError("changes came before a task")
        return changed_task(self._task, changes)


def _understood(line: bytes) -> WorkerInput | None:
    try:
        return _INPUT.validate_json(line)
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        get_logger("worker").error("task not understood", problems=problems)
        return None
