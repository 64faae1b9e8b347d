"""The newest task of a service, passed between threads."""

import threading
from typing import Generic, TypeVar

from zcbus.kit.logging import get_logger

T = TypeVar("T")


class TaskBox(Generic[T]):
    """Holds one task; a newer one replaces it. Thread-safe."""

    def __init__(self, task: T) -> None:
        self._lock = threading.Lock()
        self._task = task
        self._version = 1

    def put(self, task: T) -> None:
        """Replace the task."""
        with self._lock:
            self._task = task
            self._version += 1

    def receive(self, task: object) -> None:
        """Put a task that the worker received; a task of another kind is logged and ignored."""
        kind = type(self._task)
        if isinstance(task, kind):
            self.put(task)
        else:
            get_logger("worker").error("task of another kind", expected=kind.__name__)

    def read(self) -> tuple[int, T]:
        """The task and its version, which grows with each `put`."""
        with self._lock:
            return self._version, self._task
