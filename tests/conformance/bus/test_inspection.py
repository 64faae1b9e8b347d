"""Questions of operators: what waits, how fast a topic grows, where it is."""

from datetime import timedelta

from tests.conformance.bus.helpers import FOREVER, write
from tests.support.buses import BusKit
from zcbus.bus.contract import Bus, Extent, Retention

KILOBYTE = b"k" * 1024
BIG = b"b" * (1 << 20)
"""Several messages on Kafka."""


def test_of_a_topic_that_does_not_exist_nothing_is_said(bus: Bus) -> None:
    assert bus.behind("t", [0, 5]) == {}
    assert bus.since("t", 0) is None
    assert bus.placement("t") is None


def test_nothing_waits_on_an_empty_topic(bus: Bus) -> None:
    bus.writer("t", FOREVER).close()
    assert bus.behind("t", [0, 7]) == {0: Extent(0, 0, 0), 7: Extent(0, 0, 0)}
    assert bus.since("t", 0) == Extent(0, 0, 0)


def test_a_reader_is_behind_by_records_and_bytes(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [KILOBYTE] * 300)
    write(bus, "t", [BIG])
    info = bus.info("t")
    assert info is not None
    found = bus.behind("t", [0, 1, 150, 299, 300, 301, 400])
    assert found[0] == Extent(0, 301, info.size_bytes)
    assert [found[offset].records for offset in (1, 150, 299, 300)] == [300, 151, 2, 1]
    assert found[301] == found[400] == Extent(301, 0, 0)
    per_record = found[0].size_bytes - found[1].size_bytes
    assert len(KILOBYTE) <= per_record < len(KILOBYTE) + 100
    assert found[0].size_bytes - found[150].size_bytes == 150 * per_record
    assert len(BIG) <= found[300].size_bytes < len(BIG) + 100


def test_a_reader_whose_records_are_gone_is_behind_by_all_there_is(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [KILOBYTE] * 1000)
    bus.enforce("t", Retention(size_bytes=300 << 10))
    info = bus.info("t")
    assert info is not None
    assert info.first_offset > 0
    assert bus.behind("t", [0]) == {0: Extent(info.first_offset, 1000 - info.first_offset, info.size_bytes)}


def test_records_since_a_moment_are_counted(kit: BusKit) -> None:
    bus = kit.bus()
    begin = 1_700_000_000_000
    for _ in range(4):
        write(bus, "t", [KILOBYTE] * 100)
        kit.move_clock(60_000)
    for minutes, offset in ((-1, 0), (0, 0), (1, 100), (1.5, 200), (3, 300), (3.5, 400)):
        extent = bus.since("t", begin + int(minutes * 60_000))
        assert extent == bus.behind("t", [offset])[offset], minutes
    assert bus.enforce("t", Retention(time=timedelta(minutes=1))) > 0
    info = bus.info("t")
    assert info is not None
    assert bus.since("t", 0) == Extent(info.first_offset, 400 - info.first_offset, info.size_bytes)


def test_records_that_are_not_durable_are_not_counted(kit: BusKit) -> None:
    bus = kit.bus()
    with bus.writer("t", FOREVER) as writer:
        writer.append([KILOBYTE])
        writer.flush()
        writer.append([KILOBYTE])
        assert kit.bus().behind("t", [0])[0].records == 1
        extent = kit.bus().since("t", 0)
        assert extent is not None
        assert extent.records == 1


def test_where_a_topic_is_stored(kit: BusKit) -> None:
    bus = kit.bus()
    write(bus, "t", [KILOBYTE] * 200)
    placement, info = bus.placement("t"), bus.info("t")
    assert placement is not None
    assert info is not None
    assert placement.partitions == 1
    assert 1 <= placement.in_sync <= placement.replicas
    assert placement.disk_bytes is None or placement.disk_bytes >= info.size_bytes


def test_the_disk_has_room_where_it_is_known(bus: Bus) -> None:
    disk = bus.disk()
    assert disk is None or 0 < disk.free_bytes <= disk.total_bytes
