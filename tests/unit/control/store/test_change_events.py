"""Threads that wait for change events."""

from zcbus.control.store.change_events import ChangeEvents


def test_an_event_wakes_its_listener() -> None:
    events = ChangeEvents()
    with events.listen("one") as one, events.listen("other") as other:
        events.publish(["one"])
        assert one.wait(5)
        assert not other.is_set()


def test_no_event_arrives_before_and_after() -> None:
    events = ChangeEvents()
    events.publish(["one"])
    with events.listen("one") as notified:
        assert not notified.is_set()
    events.publish(["one"])
    assert not notified.is_set()


def test_closing_releases_present_and_later_listeners() -> None:
    events = ChangeEvents()
    with events.listen("one") as early:
        events.close()
        assert early.wait(5)
    with events.listen("one") as late:
        assert late.is_set()
