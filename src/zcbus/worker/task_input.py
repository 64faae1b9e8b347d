"""The input of a worker: complete tasks and leases.

The agent may send only the changes of a task; they are applied to the last one.
"""

from collections.abc import Iterator

from pydantic import TypeAdapter, ValidationError

from zcbus.kit.logging import get_logger
from zcbus.protocol.changes import changed_task
from zcbus.protocol.tasks import Task
from zcbus.protocol.worker_input import TaskChanges, WorkerInput, WorkerLease

_INPUT: TypeAdapter[WorkerInput] = TypeAdapter(WorkerInput)


class TaskInput:
    """Iterator over the messages of input lines, in order. None stands for an invalid line."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._task: Task | None = None

    def __iter__(self) -> Iterator[Task | WorkerLease | None]:
        return self

    def __next__(self) -> Task | WorkerLease | None:
        received = _parsed(next(self._lines))
        if received is None or isinstance(received, WorkerLease):
            return received
        self._task = self._complete(received) if isinstance(received, TaskChanges) else received
        return self._task

    def _complete(self, changes: TaskChanges) -> Task:
        """Apply changes to the last task. Raises ValueError if there is none of their kind."""
        if self._task is None:
            raise ValueError("changes came before a task")
        return changed_task(self._task, changes)


def _parsed(line: bytes) -> WorkerInput | None:
    try:
        return _INPUT.validate_json(line)
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        get_logger("worker").error("task not understood", problems=problems)
        return None
