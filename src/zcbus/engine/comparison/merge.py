"""Merge of both sides in the order of the key."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
import pyarrow as pa

from zcbus.engine.comparison.forms import ComparedColumn, Form
from zcbus.engine.comparison.rows import Part
from zcbus.model.kernels import compute

_FIRST_WINDOW = 256


@dataclass(slots=True)
class Findings:
    """Numbers of rows compared, and of rows that differ as they were read."""

    compared: int = 0
    missing: int = 0
    extra: int = 0
    different: int = 0

    @property
    def total(self) -> int:
        return self.missing + self.extra + self.different


class Merge:
    """Compares two streams of parts. Both must have the shared order (connectors.reading); a stream in another order
    makes it find too many rows, never too few."""

    def __init__(
        self,
        columns: Sequence[ComparedColumn],
        key: Sequence[ComparedColumn],
        found: Callable[[Part, np.ndarray[Any, Any] | None], None],
    ) -> None:
        """`found` receives a part of either side and the indexes of its rows that differ (None: all)."""
        self._columns = [column for column in columns if column not in key]
        self._key, self._found = key, found
        self.findings = Findings()

    def run(self, source: Iterator[Part], target: Iterator[Part]) -> None:
        """Compare until both streams end. Raises what the streams raise."""
        ours, theirs = _Stream(source), _Stream(target)
        window = _FIRST_WINDOW
        while ours.fill() and theirs.fill():
            window = self._step(ours, theirs, window)
        while ours.fill():
            self._missing(ours.take(len(ours)))
        while theirs.fill():
            self._extra(theirs.take(len(theirs)))

    def _step(self, ours: "_Stream", theirs: "_Stream", window: int) -> int:
        """Compare rows with the same keys, or skip rows that one side lacks; returns the next window."""
        count = min(len(ours), len(theirs), window)
        same = _first_unequal(ours.part.keys, theirs.part.keys, count)
        if same:
            self._compare(ours.take(same), theirs.take(same))
        if same == count:
            return window * 4
        here, there = self._order(ours.part, 0), self._order(theirs.part, 0)
        if here < there:
            self._missing(ours.take(self._run_before(ours.part, there)))
        elif there < here:
            self._extra(theirs.take(self._run_before(theirs.part, here)))
        else:
            self._compare(ours.take(1), theirs.take(1))
        return _FIRST_WINDOW

    def _compare(self, ours: Part, theirs: Part) -> None:
        self.findings.compared += len(ours)
        unequal: Any = None
        for column in self._columns:
            differing = column.differing(ours.rows.column(column.name), theirs.rows.column(column.name))
            if differing is not None:
                unequal = differing if unequal is None else unequal | differing
        if unequal is not None:
            indexes = np.flatnonzero(unequal)
            self.findings.different += len(indexes)
            self._found(ours, indexes)

    def _missing(self, part: Part) -> None:
        self.findings.missing += len(part)
        self._found(part, None)

    def _extra(self, part: Part) -> None:
        self.findings.extra += len(part)
        self._found(part, None)

    def _run_before(self, part: Part, limit: list[Any]) -> int:
        """Number of first rows that sort before a key: at least one."""
        low, step = 1, 1
        while low + step <= len(part) and self._order(part, low + step - 1) < limit:
            low += step
            step *= 2
        high = min(low + step - 1, len(part))
        while low < high:
            middle = (low + high) // 2
            if self._order(part, middle) < limit:
                low = middle + 1
            else:
                high = middle
        return low

    def _order(self, part: Part, index: int) -> list[Any]:
        return [
            _sortable(values[index].as_py(), column.form)
            for column, values in zip(self._key, part.keys.columns, strict=True)
        ]


class _Stream:
    """Rows of one side that are not compared yet."""

    def __init__(self, parts: Iterator[Part]) -> None:
        self._parts = parts
        self.part: Part = _NOTHING

    def __len__(self) -> int:
        return len(self.part)

    def fill(self) -> bool:
        """Whether there is a row."""
        while not len(self.part):
            following = next(self._parts, None)
            if following is None:
                return False
            self.part = following
        return True

    def take(self, count: int) -> Part:
        """Remove the first rows and return them."""
        taken, self.part = self.part.slice(0, count), self.part.slice(count)
        return taken


_EMPTY = pa.RecordBatch.from_arrays([], names=[])
_NOTHING = Part(_EMPTY, _EMPTY)


def _first_unequal(ours: pa.RecordBatch, theirs: pa.RecordBatch, count: int) -> int:
    """How many rows from the first on have the same keys."""
    for one, other in zip(ours.columns, theirs.columns, strict=True):
        here, there = one.slice(0, count), other.slice(0, count)
        if not here.equals(there):
            equal = np.asarray(compute.fill_null(compute.equal(here, there), False)).astype(np.bool_)
            count = int(np.argmin(equal)) if not equal.all() else count
    return count


def _sortable(value: Any, form: Form) -> Any:
    if isinstance(value, bytes):
        return value
    text = value or ""
    if form in (Form.NUMBER, Form.FLOAT32, Form.FLOAT64):
        try:
            number = Decimal(text)
        except InvalidOperation:
            return Decimal(0)
        return Decimal("Infinity") if number.is_nan() else number
    if form is Form.MOMENT:
        return _FAR.get(text, text)
    return text.encode()


_FAR = {"-infinity": "", "infinity": "~"}
