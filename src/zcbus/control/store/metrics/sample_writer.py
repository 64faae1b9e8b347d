"""Writer of one sample of all kinds: values of subjects, and the growth of their counters."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, delete, insert

from zcbus.control.store.metrics.chunks import CHUNK, stored_counters, subject_numbers
from zcbus.control.store.metrics.series import Grid, empty, pack
from zcbus.control.store.metrics.tables import metric_counter, metric_sample, metric_subject


@dataclass(frozen=True, slots=True)
class Counters:
    """Values of the counters of a kind's subjects."""

    values: Grid
    """Subjects x counters; NaN: not known now."""
    epochs: npt.NDArray[np.float64]
    """One for each subject: when it changes, the counters began at 0."""
    restart: bool
    """Whether a lower value than before means that its counter restarted at 0; else it was not known yet."""


@dataclass(slots=True)
class SampleWriter:
    """A sample that is being written, at `at` seconds since 1970."""

    connection: Connection
    slot: int
    at: float
    seconds: float | None
    """Since the previous sample; None: there was no recent one, so this one only stores the counters' values."""
    _known: dict[str, dict[str, int]] = field(default_factory=dict)
    """Numbers of subjects, by kind, as read in this transaction."""

    def growth(self, kind: str, subjects: Sequence[str], counters: Counters) -> Grid:
        """Growth of counters since the previous sample, NaN where that is not known."""
        # Those that are numbered now are no longer new when the sample is put.
        known = dict(self._numbers_of_kind(kind))
        numbers = self._numbers(kind, subjects)
        columns = counters.values.shape[1]
        stored = stored_counters(self.connection, kind, int(numbers.max(initial=-1)), 1 + columns)
        epochs, was = stored[numbers, 0], stored[numbers, 1:]
        begun = (epochs != counters.epochs) & ~np.isnan(epochs)
        begun |= np.array([subject not in known for subject in subjects], dtype=bool)
        was[begun] = 0.0
        now = counters.values
        if counters.restart:
            was = np.where(now < was, 0.0, was)
        else:
            now = np.fmax(now, was)
        is_known = ~np.isnan(now).all(axis=1)
        stored[numbers[is_known], 0] = counters.epochs[is_known]
        stored[numbers[is_known], 1:] = now[is_known]
        self._save_counters(kind, stored)
        if self.seconds is None:
            return np.full_like(now, np.nan)
        return np.where(np.isnan(counters.values), np.nan, now - was)

    def put(self, kind: str, subjects: Sequence[str], values: Grid) -> None:
        """Write a sample's values, subjects x the kind's columns, NaN where there is none."""
        if self.seconds is None or not subjects:
            return
        numbers = self._numbers(kind, subjects)
        for chunk in np.unique(numbers // CHUNK):
            inside = numbers // CHUNK == chunk
            grid = empty(CHUNK, values.shape[1])
            grid[numbers[inside] % CHUNK, 0] = self.seconds
            grid[numbers[inside] % CHUNK, 1:] = values[inside]
            row = {"kind": kind, "chunk": int(chunk), "slot": self.slot, "data": pack(grid)}
            self.connection.execute(insert(metric_sample).values(row))

    def _numbers(self, kind: str, subjects: Sequence[str]) -> Any:
        numbers = self._numbers_of_kind(kind)
        new = [subject for subject in subjects if subject not in numbers]
        first = max(numbers.values(), default=-1) + 1
        numbers |= {subject: first + place for place, subject in enumerate(new)}
        if new:
            rows = [{"kind": kind, "number": numbers[subject], "subject": subject} for subject in new]
            self.connection.execute(insert(metric_subject), rows)
        return np.array([numbers[subject] for subject in subjects], dtype=np.int64)

    def _numbers_of_kind(self, kind: str) -> dict[str, int]:
        if kind not in self._known:
            self._known[kind] = subject_numbers(self.connection, kind)
        return self._known[kind]

    def _save_counters(self, kind: str, counters: Grid) -> None:
        self.connection.execute(delete(metric_counter).where(metric_counter.c.kind == kind))
        rows = []
        for chunk in range(len(counters) // CHUNK):
            grid = empty(CHUNK, counters.shape[1])
            grid[:, 1:] = counters[chunk * CHUNK : (chunk + 1) * CHUNK]
            rows.append({"kind": kind, "chunk": chunk, "data": pack(grid)})
        if rows:
            self.connection.execute(insert(metric_counter), rows)
