"""What waits for a watcher of live events."""

import asyncio

import pytest

from zcbus.control.features.live import pending
from zcbus.control.features.live.pending import Pending
from zcbus.control.store.change_events import ChangeEvents
from zcbus.control.store.event_relay import LOST, _payloads
from zcbus.control.store.live import EVERY_TENANT, subject


def test_a_slow_watcher_receives_each_topic_once() -> None:
    async def watch() -> None:
        events, waiting = ChangeEvents(), Pending()
        with waiting.listening(events, "t1"):
            for _ in range(1000):
                events.publish([subject("t1", "link"), subject("t1", "table"), subject("t2", "alert")])
            await asyncio.sleep(0)
            assert await waiting.take(5) == ({"link", "table"}, False)
            assert await waiting.take(0) == (set(), False)

    asyncio.run(watch())


def test_figures_that_come_too_soon_are_sent_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "FIGURES_GAP", 0.3)

    async def watch() -> None:
        loop, events, waiting = asyncio.get_running_loop(), ChangeEvents(), Pending()
        with waiting.listening(events, EVERY_TENANT):
            events.publish([subject(EVERY_TENANT, "figures")])
            assert await waiting.take(5) == ({"figures"}, False)
            first = loop.time()
            events.publish([subject(EVERY_TENANT, "figures")])
            assert await waiting.take(5) == ({"figures"}, False)
            assert loop.time() - first > 0.2

    asyncio.run(watch())


def test_a_lost_relay_is_news_of_its_own() -> None:
    async def watch() -> None:
        events, waiting = ChangeEvents(), Pending()
        with waiting.listening(events, "t1"):
            events.publish([LOST])
            assert await waiting.take(5) == (set(), True)

    asyncio.run(watch())


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_watcher_that_is_stopped_at_the_moment_of_an_event_ends(steps: int) -> None:
    """A user who is disabled: the event of the change and the end of the session come together."""

    async def watch() -> None:
        events, waiting = ChangeEvents(), Pending()
        with waiting.listening(events, "t1"):
            taking = asyncio.create_task(waiting.take(60))
            await asyncio.sleep(0)
            events.publish([subject("t1", "call")])
            for _ in range(steps):
                await asyncio.sleep(0)
            if taking.cancel():  # it had not ended
                with pytest.raises(asyncio.CancelledError):
                    await taking

    asyncio.run(watch())


def test_events_travel_in_pieces_that_postgresql_takes() -> None:
    subjects = [subject(f"tenant-{number}", "figures") for number in range(2000)]
    pieces = list(_payloads("origin", subjects))
    assert max(map(len, pieces)) < 8000
    assert sum(len(piece.split(",")) - 1 for piece in pieces) == 2000
