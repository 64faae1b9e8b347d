"""Editions of orders are remembered by holder."""

from zcbus.control.platform.editions import Editions, Marks


def marks(**parts: bytes) -> Marks:
    return Marks({"s": b"head"}, {"s": parts})


def test_the_edition_that_is_held_is_known_and_the_others_are_forgotten() -> None:
    editions = Editions()
    editions.keep("host", "1", marks(a=b"1"))
    editions.keep("host", "2", marks(a=b"2"))  # its answer may be lost on the way
    assert editions.marks_of("host", "1") == marks(a=b"1")
    assert editions.marks_of("host", "2") is None
    assert editions.marks_of("other", "1") is None


def test_a_holder_of_an_unknown_edition_gets_everything() -> None:
    editions = Editions()
    editions.keep("host", "1", marks(a=b"1"))
    assert editions.marks_of("host", "") is None


def test_the_least_recently_seen_holder_is_dropped_at_the_limit() -> None:
    editions = Editions(most_parts=3)
    for host in ("one", "two"):
        editions.keep(host, "1", marks(a=b"1"))
    assert editions.marks_of("one", "1") is not None
    editions.keep("three", "1", marks(a=b"1", b=b"1"))
    assert editions.marks_of("two", "1") is None
    assert editions.marks_of("one", "1") is not None


def test_things_are_the_same_with_all_of_their_parts() -> None:
    assert marks(a=b"1").same(marks(a=b"1"), "s")
    assert not marks(a=b"1").same(marks(a=b"2"), "s")
    assert not marks(a=b"1").same(marks(a=b"1", b=b"1"), "s")
    assert not marks().same(Marks({"s": b"another"}, {"s": {}}), "s")
    assert not Marks({}, {}).same(marks(), "s")
