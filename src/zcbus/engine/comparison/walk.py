"""Scan of both sides of a table for rows that differ as they are read.

Where both servers can sum ranges of keys, only ranges with different sums are read. Else rows are compared by their
bytes, if both sides have the same row form; else by their values.
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
from zcbus.engine.comparison.merge import Findings, Merge
from zcbus.engine.comparison.prefetch import Prefetch, in_parallel
from zcbus.engine.comparison.rows import Key, Part
from zcbus.engine.comparison.sides import FULL_ROW, Plan, SourceSide, TargetSide

MAX_CHECKED = 10_000
"""Maximum of rows that are rechecked; rows beyond it are only counted."""
_MANY_RANGES = 0.25
"""Where more than this share of the sums differs, reading everything costs less."""


class Walk:
    """One scan of one table."""

    def __init__(
        self,
        plan: Plan,
        source: SourceSide,
        target: TargetSide,
        cancelled: threading.Event,
        on_progress: Callable[[Findings], None],
        *,
        strict: bool,
    ) -> None:
        """`on_progress` receives the findings after each part. `strict`: not by sums, which ignore spelling."""
        self._plan, self._source, self._target, self._strict = plan, source, target, strict
        self._cancelled, self._on_progress = cancelled, on_progress
        self._merge = _KeyCollectingMerge(plan.columns, plan.key)
        self._source_read = False

    @property
    def source_read(self) -> bool:
        """Whether the source has been read to its end, while the target may still be read. Of the present reading:
        where sums or bytes differ too much, everything is read again."""
        return self._source_read

    @property
    def keys(self) -> list[Key]:
        """Keys of rows that differ, at most MAX_CHECKED."""
        return self._merge.keys

    @property
    def findings(self) -> Findings:
        return self._merge.findings

    def run(self) -> None:
        """Raises TransientError, TerminalError, Cancelled."""
        if not (self._by_sums() or self._by_bytes()):
            self._merge = _KeyCollectingMerge(self._plan.columns, self._plan.key)
            self._read(self._source.parts(), self._target.parts())

    def _by_sums(self) -> bool:
        """Compare by sums of key ranges. False: not possible, or too many ranges differ."""
        ours, theirs = (None, None) if self._strict else (self._source.sums(), self._target.sums())
        if ours is None or theirs is None or ours.form != theirs.form:
            return False
        extent = ours.extent()
        numberings = list(numbered(extent)) if extent is not None else []
        for number, numbering in enumerate(numberings):
            source, target = self._sums(ours, theirs, numbering)
            runs = unequal(source, target)
            if not number and sum(map(len, runs)) > max(_MANY_RANGES * numbering.last, 1):
                return False
            if runs:
                ranges = [numbering.key_range(run) for run in runs]
                self._read(self._source.parts(ranges), self._target.parts(ranges))
            read = set(chain(*runs))
            self.findings.compared += sum(one.rows for index, one in source.items() if index not in read)
            self._on_progress(self.findings)
        return bool(numberings)

    def _sums(self, ours: KeySums, theirs: KeySums, part: Numbering) -> tuple[dict[int, Sum], dict[int, Sum]]:
        arguments = (part.low, part.high, part.base, part.step, part.last)
        source, target = in_parallel(self._cancelled, [partial(side.read, *arguments) for side in (ours, theirs)])
        return source, target

    def _by_bytes(self) -> bool:
        """Compare by bytes of rows. False: not possible, or too many rows differ."""
        form = self._source.full_row_form()
        if not form or form != self._target.full_row_form():
            return False
        self._merge = _KeyCollectingMerge((FULL_ROW,), self._plan.key, MAX_CHECKED // 2)
        with contextlib.suppress(_ManyUnequal):
            self._read(self._source.full_row_parts(), self._target.full_row_parts())
            return True
        return False

    def _read(self, ours: Generator[Part, None, None], theirs: Generator[Part, None, None]) -> None:
        def reporting(parts: Iterator[Part]) -> Iterator[Part]:
            for part in parts:
                self._on_progress(self.findings)
                yield part
            self._on_progress(self.findings)

        def noting_end(parts: Generator[Part, None, None]) -> Generator[Part, None, None]:
            yield from parts
            self._source_read = True

        self._source_read = False
        with Prefetch(noting_end(ours), self._cancelled) as source, Prefetch(theirs, self._cancelled) as target:
            self._merge.run(reporting(source), target)


class _ManyUnequal(Exception):
    """Too many rows differ by bytes: a comparison by values costs less. A signal within this file."""


class _KeyCollectingMerge(Merge):
    """Merge that collects the keys of rows that differ, at most MAX_CHECKED."""

    def __init__(
        self, columns: Sequence[ComparedColumn], key: Sequence[ComparedColumn], most_different: int | None = None
    ) -> None:
        """`most_different`: beyond it, `run` raises _ManyUnequal."""
        super().__init__(columns, key, self._keep)
        self.keys: list[Key] = []
        self._most_different = most_different

    def _keep(self, part: Part, indexes: "np.ndarray[tuple[int], np.dtype[np.int64]] | None") -> None:
        if self._most_different is not None and self.findings.different > self._most_different:
            raise _ManyUnequal
        chosen = range(len(part)) if indexes is None else indexes
        self.keys.extend(part.key(int(index)) for index in chosen[: MAX_CHECKED - len(self.keys)])
