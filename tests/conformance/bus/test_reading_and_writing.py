"""What is written comes out, in order, once, and only when it is durable."""

import queue
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.bus.helpers import FOREVER, contents, read_all, write
from tests.support.buses import BusKit
from zcbus.bus.contract import Bus, OffsetExpired, TopicBusy


def test_offsets_are_dense_and_parts_are_joined(bus: Bus) -> None:
    with bus.writer("real/one", FOREVER) as writer:
        assert writer.next_offset == 0
        assert writer.append([b"a", memoryview(b"bc"), b""]) == 0
        assert writer.append([b""]) == 1
        assert writer.append([b"d" * 300_000]) == 2
        assert writer.flush() == 3
    records = read_all(bus.reader("real/one", 0), 3)
    assert [record.offset for record in records] == [0, 1, 2]
    assert contents(records) == [b"abc", b"", b"d" * 300_000]


def test_the_callers_memory_is_free_after_append(bus: Bus) -> None:
    mine = bytearray(b"first")
    with bus.writer("t", FOREVER) as writer:
        writer.append([memoryview(mine)])
        mine[:] = b"other"
        writer.append([memoryview(mine)])
    assert contents(read_all(bus.reader("t", 0), 2)) == [b"first", b"other"]


def test_records_carry_the_time_they_were_appended(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("t", FOREVER) as writer:
        writer.append([b"a"])
        kit.move_clock(5000)
        writer.append([b"b"])
    first, second = read_all(bus.reader("t", 0), 2)
    assert second.time - first.time == 5000
    info = bus.info("t")
    assert info is not None
    assert (info.oldest_time, info.newest_time) == (first.time, second.time)


def test_nothing_is_visible_before_flush(kit: BusKit) -> None:
    writer, reader = kit.bus().writer("t", FOREVER), kit.bus().reader("t", 0)
    for size in (10, 2_000_000):
        writer.append([b"x" * size])
    assert reader.read(10, 1 << 20, 0.05) == []
    info = kit.bus().info("t")
    assert info is not None
    assert info.next_offset == 0
    writer.flush()
    assert len(read_all(reader, 2)) == 2


def test_a_reader_waits_for_a_topic_that_is_not_there_yet(kit: BusKit) -> None:
    reader = kit.bus().reader("late", 0)
    assert reader.read(1, 1, 0) == []
    begun = time.monotonic()
    assert reader.read(1, 1, 0.1) == []
    assert time.monotonic() - begun >= 0.1
    late = threading.Timer(0.1, write, (kit.bus(), "late", [b"here"]))
    late.start()
    try:
        assert contents(reader.read(1, 1, 10)) == [b"here"]
    finally:
        late.join()


def test_a_waiting_reader_gets_each_record_soon(kit: BusKit) -> None:
    arrived: queue.Queue[float] = queue.Queue()

    def follow() -> None:
        with kit.bus().reader("t", 0) as reader:
            for _ in range(20):
                read_all(reader, 1)
                arrived.put(time.monotonic())

    thread = threading.Thread(target=follow)
    thread.start()
    delays = []
    with kit.bus().writer("t", FOREVER) as writer:
        for _ in range(20):
            writer.append([b"x"])
            writer.flush()
            flushed = time.monotonic()
            delays.append(arrived.get(timeout=10) - flushed)
    thread.join()
    assert sorted(delays)[10] < 0.25


def test_read_keeps_its_limits(bus: Bus) -> None:
    write(bus, "t", [b"x" * 100] * 10)
    reader = bus.reader("t", 0)
    assert len(reader.read(3, 1 << 20, 1)) == 3
    assert len(reader.read(100, 250, 1)) == 3
    assert len(reader.read(100, 1, 1)) == 1
    assert reader.next_offset == 7
    assert len(reader.read(100, 1 << 20, 1)) == 3
    assert reader.read(100, 1 << 20, 0) == []


def test_a_record_larger_than_the_limit_comes_alone(bus: Bus) -> None:
    write(bus, "t", [b"a" * 3_000_000, b"b"])
    reader = bus.reader("t", 0)
    assert contents(reader.read(10, 1000, 1)) == [b"a" * 3_000_000]
    assert contents(reader.read(10, 1000, 1)) == [b"b"]


def test_payloads_stay_valid_after_reader_and_topic_are_gone(bus: Bus) -> None:
    write(bus, "t", [bytes([n]) * 50_000 for n in range(10)])
    with bus.reader("t", 0) as reader:
        records = read_all(reader, 10, max_records=2)
    bus.delete("t")
    assert contents(records) == [bytes([n]) * 50_000 for n in range(10)]


def test_seek_finds_any_record(bus: Bus) -> None:
    payloads = [str(number).encode() * (number % 700) for number in range(3000)]
    write(bus, "t", payloads)
    reader = bus.reader("t", 3000)
    assert reader.read(1, 1, 0) == []
    for offset in (0, 2999, 1, 1500, 1499, 64, 2000):
        reader.seek(offset)
        assert reader.next_offset == offset
        record = reader.read(1, 1, 1)[0]
        assert (record.offset, bytes(record.payload)) == (offset, payloads[offset])


def test_an_offset_the_topic_never_had_is_refused(bus: Bus) -> None:
    write(bus, "t", [b"a"])
    reader = bus.reader("t", 2)
    with pytest.raises(OffsetExpired) as caught:
        reader.read(1, 1, 0)
    assert caught.value.facts == {"topic": "t", "asked": 2, "first": 0}


def test_one_writer_at_a_time(kit: BusKit) -> None:
    one, other = kit.bus(), kit.bus()
    with one.writer("t", FOREVER):
        for bus in (one, other):
            with pytest.raises(TopicBusy):
                bus.writer("t", FOREVER)
        other.writer("u", FOREVER).close()
    other.writer("t", FOREVER).close()


def test_the_next_writer_continues(kit: BusKit) -> None:
    for round_number in range(5):
        with kit.bus().writer("t", FOREVER) as writer:
            assert writer.next_offset == 10 * round_number
            for number in range(10):
                writer.append([str(10 * round_number + number).encode() * 2000])
    assert contents(read_all(kit.bus().reader("t", 0), 50)) == [str(n).encode() * 2000 for n in range(50)]


def test_last_is_the_newest_durable_record(kit: BusKit) -> None:
    with kit.bus().writer("t", FOREVER) as writer:
        assert writer.last() is None
        writer.append([b"a"])
        assert writer.last() is None
        writer.flush()
        writer.append([b"b"])
        last = writer.last()
        assert last is not None
        assert (last.offset, bytes(last.payload)) == (0, b"a")
    with kit.bus().writer("t", FOREVER) as writer:
        last = writer.last()
        assert last is not None
        assert (last.offset, bytes(last.payload)) == (1, b"b")


def test_flush_of_nothing_and_closing_twice_do_no_harm(bus: Bus) -> None:
    writer = bus.writer("t", FOREVER)
    assert writer.flush() == 0
    writer.close()
    writer.close()
    reader = bus.reader("t", 0)
    assert reader.read(1, 1, 0) == []
    reader.close()
    reader.close()
    bus.close()
    bus.close()


def test_closing_flushes(kit: BusKit) -> None:
    writer = kit.bus().writer("t", FOREVER)
    writer.append([b"kept"])
    writer.close()
    assert contents(read_all(kit.bus().reader("t", 0), 1)) == [b"kept"]


def test_closing_the_bus_frees_its_topics(kit: BusKit) -> None:
    bus = kit.bus()
    writer = bus.writer("t", FOREVER)
    writer.append([b"kept"])
    bus.close()
    kit.bus().writer("t", FOREVER).close()
    assert contents(read_all(kit.bus().reader("t", 0), 1)) == [b"kept"]


_SIZES = st.one_of(st.integers(0, 200), st.integers(60_000, 70_000))
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), _SIZES),
        st.tuples(st.just("flush"), st.just(0)),
        st.tuples(st.just("reopen"), st.just(0)),
        st.tuples(st.just("read"), st.integers(1, 5)),
        st.tuples(st.just("seek"), st.integers(0, 40)),
    ),
    max_size=60,
)


def test_any_sequence_of_steps_behaves_like_a_list(kit: BusKit) -> None:
    bus = kit.bus()

    @settings(max_examples=kit.examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(steps=_STEPS)
    def behaves(steps: list[tuple[str, int]]) -> None:
        _behaves_like_a_list(bus, steps)

    behaves()


def _behaves_like_a_list(bus: Bus, steps: list[tuple[str, int]]) -> None:
    bus.delete("list")
    appended: list[bytes] = []
    durable = place = 0
    writer, reader = bus.writer("list", FOREVER), bus.reader("list", 0)
    for verb, number in steps:
        if verb == "append":
            payload = bytes([len(appended) % 256]) * number
            assert writer.append([payload]) == len(appended)
            appended.append(payload)
        elif verb == "flush":
            durable = writer.flush()
            assert durable == len(appended)
        elif verb == "reopen":
            writer.close()
            writer, durable = bus.writer("list", FOREVER), len(appended)
        elif verb == "seek":
            place = min(number, durable)
            reader.seek(place)
        else:
            got = reader.read(number, 100_000, 0)
            assert contents(got) == appended[place : place + len(got)]
            assert bool(got) == (place < durable)
            assert place + len(got) <= durable
            place += len(got)
    writer.close()
    reader.seek(0)
    if appended:
        assert contents(read_all(reader, len(appended))) == appended
    reader.close()
