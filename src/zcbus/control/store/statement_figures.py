"""How often the store's statements run and how long they take, by their text."""

import threading
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, event

MAX_STATEMENTS = 1_000
"""So many different texts are counted each for itself, all further ones together."""
OTHERS = "(other statements)"

_STARTED = "zcbus_statement_started"


@dataclass(slots=True)
class StatementFigure:
    """A statement's text, without values; seconds."""

    statement: str
    executions: int = 0
    errors: int = 0
    total_seconds: float = 0.0
    longest_seconds: float = 0.0


class StatementFigures:
    """The figures of one engine since this process started. Safe for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, StatementFigure] = {}

    def note(self, statement: str, seconds: float, *, failed: bool = False) -> None:
        with self._lock:
            text = statement if statement in self._known or len(self._known) < MAX_STATEMENTS else OTHERS
            figure = self._known.setdefault(text, StatementFigure(text))
            figure.executions += 1
            figure.errors += failed
            figure.total_seconds += seconds
            figure.longest_seconds = max(figure.longest_seconds, seconds)

    def slowest(self, count: int) -> list[StatementFigure]:
        """Copies of those that took the most time in total, the slowest first."""
        with self._lock:
            known = sorted(self._known.values(), key=lambda figure: -figure.total_seconds)[:count]
            return [
                StatementFigure(one.statement, one.executions, one.errors, one.total_seconds, one.longest_seconds)
                for one in known
            ]


_figures: WeakKeyDictionary[Engine, StatementFigures] = WeakKeyDictionary()


def count_statements(engine: Engine) -> None:
    """Count the engine's statements from now on."""
    figures = _figures[engine] = StatementFigures()

    def begin(connection: Any, _cursor: Any, _statement: str, _parameters: Any, context: Any, _many: bool) -> None:
        connection.info[_STARTED] = perf_counter()

    def end(connection: Any, _cursor: Any, statement: str, _parameters: Any, context: Any, _many: bool) -> None:
        figures.note(statement, perf_counter() - connection.info[_STARTED])

    def fail(context: Any) -> None:
        if context.statement is not None and context.connection is not None:
            started = context.connection.info.get(_STARTED, perf_counter())
            figures.note(context.statement, perf_counter() - started, failed=True)

    event.listen(engine, "before_cursor_execute", begin)
    event.listen(engine, "after_cursor_execute", end)
    event.listen(engine, "handle_error", fail)


def figures_of(engine: Engine) -> StatementFigures:
    """What was counted of an engine that `count_statements` was called for."""
    return _figures[engine]
