"""What waits for a watcher: a set of topics, so it never grows, however slow the watcher is."""

import asyncio
import contextlib
from collections.abc import Iterator
from functools import partial

from zcbus.control.store.change_events import ChangeEvents
from zcbus.control.store.event_relay import FOUND, LOST
from zcbus.control.store.live import TOPICS, Topic, subject

FIGURES_GAP = 2.0
"""Seconds between two announcements of figures, which change all the time; other topics are announced at once."""


class Pending:
    """Lives on one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._topics: set[Topic] = set()
        self._changed = asyncio.Event()
        self._figures_at = self._loop.time() - FIGURES_GAP
        self._figures_later: asyncio.TimerHandle | None = None
        self._relay_changed = False

    @contextlib.contextmanager
    def listening(self, events: ChangeEvents, tenant: str) -> Iterator[None]:
        """Note what is announced in a tenant, or in any (EVERY_TENANT), while the block runs."""
        with contextlib.ExitStack() as stack:
            for topic in TOPICS:
                stack.enter_context(events.calling(subject(tenant, topic), self._from_any_thread(topic)))
            for lost_or_found in (LOST, FOUND):
                stack.enter_context(events.calling(lost_or_found, self._from_any_thread(None)))
            try:
                yield
            finally:
                if self._figures_later is not None:
                    self._figures_later.cancel()

    async def take(self, seconds: float) -> tuple[set[Topic], bool]:
        """Wait for something new, `seconds` at most. The topics, and whether the relay was lost or found."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        taken = self._topics, self._relay_changed
        self._topics, self._relay_changed = set(), False
        self._changed.clear()
        return taken

    def _from_any_thread(self, topic: Topic | None) -> "partial[asyncio.Handle]":
        return partial(self._loop.call_soon_threadsafe, self._note, topic)

    def _note(self, topic: Topic | None) -> None:
        if topic is None:
            self._relay_changed = True
        elif topic != "figures":
            self._topics.add(topic)
        else:
            self._note_figures()
            return
        self._changed.set()

    def _note_figures(self) -> None:
        wait = self._figures_at + FIGURES_GAP - self._loop.time()
        if self._figures_later is not None:
            return
        if wait > 0:
            self._figures_later = self._loop.call_later(wait, self._announce_figures)
        else:
            self._announce_figures()

    def _announce_figures(self) -> None:
        self._figures_later = None
        self._figures_at = self._loop.time()
        self._topics.add("figures")
        self._changed.set()
