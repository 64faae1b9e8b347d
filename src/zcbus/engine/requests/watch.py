"""How far the answer to a question is, and whether anybody still waits for it."""

from zcbus.kit.errors import TerminalError


class RequestWithdrawn(TerminalError):
    """Nobody waits for the answer any more. No facts."""

    code = "request-withdrawn"


class Watch:
    """`reached` belongs to the thread that answers, all else may be called in any."""

    def __init__(self) -> None:
        self._reached = (0, 0)
        self._is_withdrawn = False

    def reached(self, done: int, total: int) -> None:
        """So much of the answer there is. Cheap. Raises RequestWithdrawn."""
        if self._is_withdrawn:
            raise RequestWithdrawn
        self._reached = (done, total)

    @property
    def progress(self) -> tuple[int, int]:
        """What `reached` was told last; a total of 0: nothing yet."""
        return self._reached

    def withdraw(self) -> None:
        """Nobody waits any more."""
        self._is_withdrawn = True
