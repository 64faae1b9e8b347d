"""Confinement of user-written expressions, conditions and stream queries.

A process that serves many (an agent) evaluates them in a child process that the operating system limits. A worker is
the process of one service: it evaluates them itself, so that no batch passes a pipe, and limits its own process.
"""

from collections.abc import Callable
from typing import TypeVar

from zcbus.kit.confined import Confined, limit_memory

T = TypeVar("T")

_MIN_BYTES = 2 << 30
_TIMES = 8
"""A single row may take five times its size."""
_confined: Confined | None = None


def confine_evaluations() -> None:
    """From now on run the functions of `run_confined` in a child process."""
    global _confined
    _confined = Confined()


def release_evaluations() -> None:
    """End the child. Idempotent."""
    global _confined
    confined, _confined = _confined, None
    if confined is not None:
        confined.close()


def run_confined(function: Callable[..., T], *arguments: object) -> T:
    """Run a function, in the child process if there is one. Raises what the function raises, and Overrun."""
    return function(*arguments) if _confined is None else _confined.call(_within_memory, function, arguments)


def _within_memory(function: Callable[..., T], arguments: tuple[object, ...]) -> T:
    """The function's result. Raises MemoryError, which ends the child, also where the function wraps it: the library
    does not free that memory, so the next evaluation would fail too."""
    try:
        return function(*arguments)
    except Exception as error:
        import duckdb  # large, and already loaded by the failed function

        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, MemoryError | duckdb.OutOfMemoryException):
                raise MemoryError from error
            cause = cause.__cause__ or cause.__context__
        raise


def limit_worker(memory_mb: int) -> None:
    """Limit this process's memory to a multiple of the worker's setting. An evaluation beyond it fails; any other
    allocation ends only this process."""
    limit_memory(max(_MIN_BYTES, _TIMES * memory_mb << 20))
