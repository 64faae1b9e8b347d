"""Until when the bus keeps the oldest change that a table still needs: told before it is too late."""

import contextlib
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.engine.subscribe.checkpoints.records import Phase
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.clock import Clock
from zcbus.kit.errors import TransientError

_LOOK_SECONDS = 15.0
LAGGING = timedelta(minutes=1)
"""Nothing is told of a table whose oldest waiting change is younger."""


class Countdown:
    """Sets `expires_at` of the tables of one channel. Only the limit of time is foreseen, not that of size."""

    def __init__(self, bus: Bus, topic: str, clock: Clock) -> None:
        self._bus, self._topic, self._clock = bus, topic, clock
        self._next_look = 0.0

    def look_when_due(self, runs: Iterable[SyncRun], main_offset: int | None, retention: timedelta | None) -> None:
        """Look a few times a minute. `main_offset`: of the first record that the channel applier has not applied."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _LOOK_SECONDS
            # What cannot be looked at now is looked at later; work must not stop for it.
            with contextlib.suppress(TransientError):
                self.look(runs, main_offset, retention)

    def look(self, runs: Iterable[SyncRun], main_offset: int | None, retention: timedelta | None) -> None:
        """Look now. Raises TransientError."""
        known: dict[int, datetime | None] = {}
        for run in runs:
            offset = _needed(run, main_offset)
            if offset is None or retention is None:
                run.expires_at = None
                continue
            if offset not in known:
                known[offset] = self._expiry(offset, retention)
            run.expires_at = known[offset]

    def _expiry(self, offset: int, retention: timedelta) -> datetime | None:
        """When the record at an offset goes; None where it is not old enough to speak of, or there is none."""
        info = self._bus.info(self._topic)
        if info is None or offset >= info.next_offset or offset < info.first_offset:
            return None
        try:
            with self._bus.reader(self._topic, offset) as reader:
                records = reader.read(1, 1, 0)
        except OffsetExpired:
            return None  # the table's own way to the topic tells
        if not records:
            return None
        appended = datetime.fromtimestamp(records[0].time / 1000, UTC)
        return appended + retention if self._clock.now() - appended > LAGGING else None


def _needed(run: SyncRun, main_offset: int | None) -> int | None:
    """The first record that a table needs; None where it needs none, or it is not known."""
    checkpoint = run.checkpoint
    if checkpoint is None or run.phase not in (Phase.MEMBER, Phase.APART):
        return None
    if run.phase is Phase.APART:
        return checkpoint.offset
    return max(checkpoint.offset, main_offset) if main_offset is not None else None
