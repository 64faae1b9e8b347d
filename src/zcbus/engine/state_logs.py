"""State of targets that keep none, as topics of the bus: `emitted/…`, one for each target.

So the state is where the changes are: the process that can apply them, on whichever host, has it. A topic has one
writer at a time, so a record is written only behind the last one that its writer has read.
"""

import hashlib
import os
import time
from functools import lru_cache

from zcbus.bus.contract import Bus, Retention, TopicBusy
from zcbus.bus.open import open_bus
from zcbus.bus.topics import emitted_topic
from zcbus.connectors.emitting.log import Entry, StateLog, keep_in
from zcbus.connectors.writing.decided import ConcurrentCommit
from zcbus.kit.settings import load_settings

_READ_RECORDS, _READ_BYTES = 1000, 16 << 20
_MIN_KEPT = 64 << 20
_BUSY_SECONDS = 10.0
_PAUSE_SECONDS = 0.005


class BusStateLog:
    """See StateLog."""

    def __init__(self, bus: Bus, topic: str) -> None:
        self._bus, self._topic = bus, topic

    def newest(self) -> Entry | None:
        found = self._bus.newest([self._topic]).get(self._topic)
        return None if found is None else Entry(found.offset, bytes(found.payload))

    def read(self, offset: int) -> list[Entry]:
        info = self._bus.info(self._topic)
        end = 0 if info is None else info.next_offset
        found: list[Entry] = []
        with self._bus.reader(self._topic, offset) as reader:
            while reader.next_offset < end:
                records = reader.read(_READ_RECORDS, _READ_BYTES, 1.0)
                found += [Entry(one.offset, bytes(one.payload)) for one in records]
        return found

    def append(self, offset: int, data: bytes, kept: int) -> None:
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._append(offset, data, Retention(size_bytes=max(_MIN_KEPT, 4 * kept)))
                return
            except TopicBusy:
                # Another process writes a record of its own, which takes no longer than ours.
                if time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_SECONDS)

    def _append(self, offset: int, data: bytes, retention: Retention) -> None:
        with self._bus.writer(self._topic, retention) as writer:
            if writer.next_offset != offset:
                raise ConcurrentCommit(f"{self._topic} {writer.next_offset}")
            writer.append([data])
            writer.flush()


def topic_of(place: str) -> str:
    """The topic that has the state of a place."""
    return emitted_topic(hashlib.sha256(place.encode()).hexdigest()[:32])


@lru_cache(maxsize=1)
def _bus(process: int) -> Bus:
    """The bus of this process; one that a fork has inherited is not."""
    settings = load_settings()
    return open_bus(settings.bus, settings.data_dir)


def open_state_log(place: str) -> StateLog:
    """The log of a place. Raises SettingsError."""
    return BusStateLog(_bus(os.getpid()), topic_of(place))


def keep_states_on_the_bus() -> None:
    """From now on, of this process."""
    keep_in(open_state_log)
