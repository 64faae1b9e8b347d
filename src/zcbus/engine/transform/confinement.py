"""Where what people wrote is looked at: expressions, conditions, computations.

A process that serves many (an agent) has it done by a child that the operating system limits. A worker is the process
of one service already: it looks itself, so that no batch has to go over a pipe, and its whole process is limited.
"""

from collections.abc import Callable
from typing import TypeVar

from zcbus.kit.confined import Confined, limit_memory

T = TypeVar("T")

_LEAST_BYTES = 2 << 30
_TIMES = 8
"""A single row may take five times its size."""
_confined: Confined | None = None


def confine_evaluations() -> None:
    """From now on this process has everything of `elsewhere` done by a child."""
    global _confined
    _confined = Confined()


def release_evaluations() -> None:
    """End the child. Idempotent."""
    global _confined
    confined, _confined = _confined, None
    if confined is not None:
        confined.close()


def elsewhere(function: Callable[..., T], *arguments: object) -> T:
    """The function's result, from the child where there is one. Raises what the function raises, and Overrun."""
    return function(*arguments) if _confined is None else _confined.call(_within_memory, function, arguments)


def _within_memory(function: Callable[..., T], arguments: tuple[object, ...]) -> T:
    """The function's result. Raises MemoryError, which ends the child, for whatever the function makes of it: what the
    library took stays taken, and the next evaluation would fail for it."""
    try:
        return function(*arguments)
    except Exception as error:
        import duckdb  # large, and loaded by what failed

        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, MemoryError | duckdb.OutOfMemoryException):
                raise MemoryError from error
            cause = cause.__cause__ or cause.__context__
        raise


def limit_worker(memory_mb: int) -> None:
    """Limit this process to a multiple of what a worker should get along with: an evaluation that asks for more fails,
    and where something else does, the process ends alone."""
    limit_memory(max(_LEAST_BYTES, _TIMES * memory_mb << 20))
