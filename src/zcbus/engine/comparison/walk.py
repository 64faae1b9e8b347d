"""Reading both sides from their first row to their last: which rows are not the same as they were read.

The server's sums tell where nothing differs, if it can make them: only the rest is read. Else the bytes of whole rows
tell, if both sides have the same; else the values.
"""

import contextlib
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np

from zcbus.connectors.reading import KeySums, Sum
from zcbus.engine.comparison.forms import ComparedColumn
from zcbus.engine.comparison.key_ranges import Numbering, numbered, unequal
from zcbus.engine.comparison.merge import Findings, Key, Merge, Part
from zcbus.engine.comparison.prefetch import Prefetch, beside
from zcbus.engine.comparison.sides import WHOLE_ROW, Plan, SourceSide, TargetSide

MOST_CHECKED = 10_000
"""So many rows that were found are looked at again; what is beyond is counted."""
_MANY_STRETCHES = 0.25
"""Where more than this share of the sums differs, reading everything costs less."""


class Walk:
    """Through one table, once."""

    def __init__(
        self,
        plan: Plan,
        source: SourceSide,
        target: TargetSide,
        cancelled: threading.Event,
        told: Callable[[Findings], None],
        *,
        strict: bool,
    ) -> None:
        """`told` gets what was found whenever there is more. `strict`: sums don't do, they know no spelling."""
        self._plan, self._source, self._target, self._strict = plan, source, target, strict
        self._cancelled, self._told = cancelled, told
        self._merge = _Merging(plan.columns, plan.key)

    @property
    def keys(self) -> list[Key]:
        """Of rows that are not the same, as many as are looked at again."""
        return self._merge.keys

    @property
    def findings(self) -> Findings:
        return self._merge.findings

    def run(self) -> None:
        """Raises TransientError, TerminalError, Cancelled."""
        if not (self._by_sums() or self._by_bytes()):
            self._merge = _Merging(self._plan.columns, self._plan.key)
            self._read(self._source.parts(), self._target.parts())

    def _by_sums(self) -> bool:
        """Whether that went to the end."""
        ours, theirs = (None, None) if self._strict else (self._source.sums(), self._target.sums())
        if ours is None or theirs is None or ours.form != theirs.form:
            return False
        extent = ours.extent()
        numberings = list(numbered(extent)) if extent is not None else []
        for number, numbering in enumerate(numberings):
            source, target = self._sums(ours, theirs, numbering)
            runs = unequal(source, target)
            if not number and sum(map(len, runs)) > max(_MANY_STRETCHES * numbering.last, 1):
                return False
            if runs:
                stretches = [numbering.stretch(run) for run in runs]
                self._read(self._source.parts(stretches), self._target.parts(stretches))
            read = set(chain(*runs))
            self.findings.compared += sum(one.rows for place, one in source.items() if place not in read)
            self._told(self.findings)
        return bool(numberings)

    def _sums(self, ours: KeySums, theirs: KeySums, part: Numbering) -> tuple[dict[int, Sum], dict[int, Sum]]:
        arguments = (part.low, part.high, part.base, part.step, part.last)
        source, target = beside(self._cancelled, [partial(side.read, *arguments) for side in (ours, theirs)])
        return source, target

    def _by_bytes(self) -> bool:
        """The same."""
        form = self._source.full_row_form()
        if not form or form != self._target.full_row_form():
            return False
        self._merge = _Merging((WHOLE_ROW,), self._plan.key, MOST_CHECKED // 2)
        with contextlib.suppress(_ManyUnequal):
            self._read(self._source.whole_parts(), self._target.whole_parts())
            return True
        return False

    def _read(self, ours: Generator[Part, None, None], theirs: Generator[Part, None, None]) -> None:
        def told(parts: Iterator[Part]) -> Iterator[Part]:
            for part in parts:
                self._told(self.findings)
                yield part

        with Prefetch(ours, self._cancelled) as source, Prefetch(theirs, self._cancelled) as target:
            self._merge.run(told(source), target)


class _ManyUnequal(Exception):
    """So many rows have other bytes that it is worth the while to look at their values. A signal within this file."""


class _Merging(Merge):
    """Keeps the keys of what was found, as many as are looked at again."""

    def __init__(
        self, columns: Sequence[ComparedColumn], key: Sequence[ComparedColumn], most_different: int | None = None
    ) -> None:
        """`most_different`: beyond it, `run` raises _ManyUnequal."""
        super().__init__(columns, key, self._keep)
        self.keys: list[Key] = []
        self._most_different = most_different

    def _keep(self, part: Part, places: "np.ndarray[tuple[int], np.dtype[np.int64]] | None") -> None:
        if self._most_different is not None and self.findings.different > self._most_different:
            raise _ManyUnequal
        chosen = range(len(part)) if places is None else places
        self.keys.extend(part.key(int(place)) for place in chosen[: MOST_CHECKED - len(self.keys)])
