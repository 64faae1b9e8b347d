"""Listing, deleting, and removing what is old."""

import threading
from datetime import timedelta

import pytest

from tests.conformance.bus.helpers import FOREVER, contents, read_all, write
from tests.support.buses import BusKit
from zcbus.bus.contract import Bus, OffsetExpired, Retention, TopicBusy, TopicInfo

KILOBYTE = b"k" * 1024


def info_of(bus: Bus, topic: str) -> TopicInfo:
    info = bus.info(topic)
    assert info is not None
    return info


def test_topics_are_listed_by_prefix_and_name(bus: Bus) -> None:
    for topic in ("real/b", "real/a", "full/a/t/1", "full/a/t-1.x_Y/2"):
        write(bus, topic, [b"abc"])
    assert [info.name for info in bus.topics()] == ["full/a/t-1.x_Y/2", "full/a/t/1", "real/a", "real/b"]
    assert [info.name for info in bus.topics("real/")] == ["real/a", "real/b"]
    assert bus.topics("none") == []
    assert bus.names() == ["full/a/t-1.x_Y/2", "full/a/t/1", "real/a", "real/b"]
    assert bus.names("real/") == ["real/a", "real/b"]
    assert bus.names("none") == []


def test_topics_that_were_prepared_are_written_and_what_is_there_stays(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "there", [b"one"])
    for _ in range(2):
        bus.prepare(["there", "new", "another"])
    bus.prepare([])
    assert bus.newest(["new", "another"]) == {}
    for topic in ("there", "new"):
        write(bus, topic, [b"two"])
    assert contents(read_all(kit.bus().reader("there", 0), 2)) == [b"one", b"two"]
    assert contents(read_all(kit.bus().reader("new", 0), 1)) == [b"two"]


def test_a_topic_may_be_the_beginning_of_another(bus: Bus) -> None:
    write(bus, "a", [b"one"])
    write(bus, "a/b", [b"two"])
    bus.delete("a")
    assert bus.info("a") is None
    assert contents(read_all(bus.reader("a/b", 0), 1)) == [b"two"]


def test_info_has_the_figures(kit: BusKit) -> None:
    bus = kit.bus()
    assert bus.info("t") is None
    bus.writer("t", FOREVER).close()
    assert info_of(bus, "t") == TopicInfo("t", 0, 0, 0, None, None)
    write(bus, "t", [KILOBYTE] * 100)
    info = info_of(kit.bus(), "t")
    assert (info.first_offset, info.next_offset) == (0, 100)
    assert 100 * 1024 <= info.size_bytes <= 120 * 1024


def test_size_retention_removes_the_oldest(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [KILOBYTE] * 1000)
    before = info_of(bus, "t")
    freed = bus.enforce("t", Retention(size_bytes=300 << 10))
    after = info_of(kit.bus(), "t")
    assert freed == before.size_bytes - after.size_bytes > 0
    assert after.size_bytes <= 300 << 10
    assert after.next_offset == 1000
    with bus.reader("t", 0) as reader:
        with pytest.raises(OffsetExpired) as caught:
            reader.read(1, 1, 1)
        assert caught.value.facts == {"topic": "t", "asked": 0, "first": after.first_offset}
        reader.seek(after.first_offset)
        assert read_all(reader, 1000 - after.first_offset)[0].offset == after.first_offset


def test_the_newest_segment_always_stays(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [KILOBYTE] * 200)
    kit.move_clock(10_000)
    bus.enforce("t", Retention(size_bytes=0))
    bus.enforce("t", Retention(time=timedelta(0)))
    info = info_of(bus, "t")
    assert info.first_offset < info.next_offset == 200
    with bus.writer("t", FOREVER) as writer:
        assert writer.next_offset == 200


def test_retention_leaves_the_newest_durable_records_during_writes(kit: BusKit) -> None:
    with kit.bus().writer("t", FOREVER) as writer:
        for _ in range(10):
            writer.append([KILOBYTE])
        writer.flush()
        for _ in range(200):
            writer.append([KILOBYTE])
        kit.bus().enforce("t", Retention(size_bytes=0))
        assert len(read_all(kit.bus().reader("t", 0), 10)) == 10
    assert len(read_all(kit.bus().reader("t", 0), 210)) == 210


def test_time_retention_removes_what_is_older(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [KILOBYTE] * 200)
    kit.move_clock(3_600_000)
    write(bus, "t", [KILOBYTE] * 200)
    assert bus.enforce("t", Retention(time=timedelta(hours=2))) == 0
    assert bus.enforce("t", Retention(time=timedelta(minutes=30))) > 0
    info = info_of(bus, "t")
    assert 100 < info.first_offset <= 200
    assert bus.enforce("none", Retention(size_bytes=0)) == 0


def test_times_never_go_back_though_the_clock_does(kit: BusKit) -> None:
    bus = kit.bus()
    for hours in (0, 1, -1, -1, 2):
        kit.move_clock(hours * 3_600_000)
        write(bus, "t", [KILOBYTE] * 40)
    with bus.reader("t", 0) as reader:
        times = [record.time for record in read_all(reader, 200)]
    assert times == sorted(times)
    assert bus.enforce("t", Retention(time=timedelta(hours=2))) == 0


def test_a_writer_keeps_its_retention_by_itself(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("sized", Retention(size_bytes=400 << 10)) as writer:
        for _ in range(2000):
            writer.append([KILOBYTE])
            writer.flush()
    assert info_of(bus, "sized").size_bytes <= 500 << 10
    with bus.writer("timed", Retention(time=timedelta(minutes=10))) as writer:
        for _ in range(60):
            writer.append([b"slow"])
            writer.flush()
            kit.move_clock(60_000)
    info = info_of(bus, "timed")
    assert info.oldest_time is not None
    assert info.newest_time is not None
    assert info.newest_time - info.oldest_time <= 20 * 60_000


def test_a_writer_keeps_another_retention_from_then_on(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("t", Retention(size_bytes=300 << 10)) as writer:
        writer.keep(FOREVER)
        for _ in range(1000):
            writer.append([KILOBYTE])
            writer.flush()
        assert info_of(bus, "t").first_offset == 0, "the limit that it was opened with is gone"
        writer.keep(Retention(size_bytes=300 << 10))
        for _ in range(200):
            writer.append([KILOBYTE])
            writer.flush()
        assert info_of(bus, "t").size_bytes <= 400 << 10


def test_a_reader_during_retention_reads_on_or_gets_an_error(kit: BusKit) -> None:
    """It never skips a record and never gets a wrong one."""
    bus = kit.bus()
    done = threading.Event()

    def produce() -> None:
        with kit.bus().writer("t", Retention(size_bytes=256 << 10)) as writer:
            for number in range(5000):
                writer.append([str(number).encode().ljust(1024)])
                if number % 20 == 0:
                    writer.flush()
        done.set()

    thread = threading.Thread(target=produce)
    thread.start()
    expired, seen, expected = 0, 0, 0
    with bus.reader("t", 0) as reader:
        while expected < 5000:
            try:
                records = reader.read(7, 1 << 20, 10)
            except OffsetExpired as error:
                first = error.facts["first"]
                assert isinstance(first, int)
                assert first > expected
                expired, expected = expired + 1, first
                reader.seek(first)
                continue
            assert records
            for record in records:
                assert (record.offset, int(bytes(record.payload))) == (expected, expected)
                expected += 1
                seen += 1
    thread.join()
    assert done.is_set()
    assert seen > 0


def test_delete_removes_all_and_may_be_repeated(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("t", FOREVER) as writer:
        writer.append([b"old"])
        with pytest.raises(TopicBusy):
            kit.bus().delete("t")
    bus.delete("t")
    bus.delete("t")
    assert bus.info("t") is None
    assert bus.topics() == []
    write(bus, "t", [b"new"])
    assert contents(read_all(bus.reader("t", 0), 1)) == [b"new"]


def test_a_reader_of_a_deleted_topic_gets_an_error_when_it_is_created_again(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [b"a", b"b"])
    reader = kit.bus().reader("t", 0)
    assert len(read_all(reader, 2)) == 2
    bus.delete("t")
    assert reader.read(1, 1, 0) == []
    write(bus, "t", [b"c", b"d", b"e"])
    with pytest.raises(OffsetExpired):
        reader.read(1, 1, 1)
    reader.seek(0)
    assert contents(read_all(reader, 3)) == [b"c", b"d", b"e"]


LARGE = b"l" * (1300 << 10)
"""More than a cluster takes as one message."""


def test_infos_of_many_topics_equal_those_of_each(kit: BusKit) -> None:
    bus = kit.bus()
    bus.writer("never-written", FOREVER).close()
    write(bus, "small", [b"one", b"two"])
    write(bus, "large", [b"one", LARGE])
    for number in range(3):
        write(bus, "taken-over", [b"%d" % number])
        bus.writer("taken-over", FOREVER).close()
    write(bus, "cut", [KILOBYTE] * 1000)
    bus.enforce("cut", Retention(size_bytes=300 << 10))
    names = ["taken-over", "not-there", "small", "never-written", "large", "cut"]
    for asked in (kit.bus(), bus):
        infos = asked.infos(names)
        assert infos == {name: info_of(kit.bus(), name) for name in names if name != "not-there"}
        assert list(infos) == [name for name in names if name != "not-there"]
        newest = {name: (record.offset, bytes(record.payload)) for name, record in asked.newest(names).items()}
        assert newest == {
            "taken-over": (2, b"2"),
            "small": (1, b"two"),
            "large": (1, LARGE),
            "cut": (999, KILOBYTE),
        }
    assert bus.infos([]) == bus.newest([]) == {}
    assert bus.infos(["not-there"]) == bus.newest(["not-there"]) == {}


def test_changes_since_the_last_poll_are_seen(kit: BusKit) -> None:
    bus, names = kit.bus(), ["a", "b", "c"]
    for name in names:
        write(bus, name, [b"one"])
    assert [info.next_offset for info in bus.infos(names).values()] == [1, 1, 1]
    kit.move_clock(1000)
    write(kit.bus(), "b", [b"two"])
    bus.delete("c")
    write(kit.bus(), "c", [b"another"])
    assert bus.infos(names) == {name: info_of(kit.bus(), name) for name in names}
    assert [bytes(record.payload) for record in bus.newest(names).values()] == [b"one", b"two", b"another"]


@pytest.mark.parametrize("retention", [Retention(timedelta(hours=1)), Retention(size_bytes=300 << 10), Retention()])
def test_retention_of_many_topics_is_that_of_each(kit: BusKit, retention: Retention) -> None:
    bus = kit.bus()
    for _ in range(2):
        kit.move_clock(3 * 3600 * 1000)
        write(bus, "together", [KILOBYTE] * 200)
        write(bus, "alone", [KILOBYTE] * 200)
    write(bus, "young", [KILOBYTE])
    bus.enforce("alone", retention)
    found = bus.enforce_all(["together", "young", "not-there"], retention)
    assert found == bus.infos(["together", "young"])
    alone, together = info_of(bus, "alone"), found["together"]
    assert (together.first_offset, together.next_offset) == (alone.first_offset, 400)
    assert (together.first_offset > 0) == (retention != Retention())
