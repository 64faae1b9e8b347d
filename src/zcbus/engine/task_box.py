"""The newest task of a service, handed from the thread that hears it to the threads that do it."""

import threading
from typing import Generic, TypeVar

from zcbus.kit.logging import get_logger

T = TypeVar("T")


class TaskBox(Generic[T]):
    """Holds one task. Thread-safe; a newer task replaces the older one."""

    def __init__(self, task: T) -> None:
        self._lock = threading.Lock()
        self._task = task
        self._version = 1

    def put(self, task: T) -> None:
        """Replace the task."""
        with self._lock:
            self._task = task
            self._version += 1

    def hear(self, task: object) -> None:
        """`put` for whatever the worker was told; a task of another kind is a mistake that is logged."""
        kind = type(self._task)
        if isinstance(task, kind):
            self.put(task)
        else:
            get_logger("worker").error("task of another kind", expected=kind.__name__)

    def read(self) -> tuple[int, T]:
        """The task and its version, which grows with each `put`."""
        with self._lock:
            return self._version, self._task
