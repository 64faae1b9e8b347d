"""Small things the bus suites share."""

from zcbus.bus.contract import Bus, Record, Retention, TopicReader

FOREVER = Retention()


def read_all(reader: TopicReader, count: int, max_records: int = 1000, max_bytes: int = 1 << 20) -> list[Record]:
    """Read until `count` records came; fails if they don't."""
    records: list[Record] = []
    while len(records) < count:
        more = reader.read(max_records, max_bytes, 10)
        assert more, f"{len(records)} of {count} records came"
        records += more
    return records


def write(bus: Bus, topic: str, payloads: list[bytes], retention: Retention = FOREVER) -> None:
    """Append and flush as a writer of its own."""
    with bus.writer(topic, retention) as writer:
        for payload in payloads:
            writer.append([payload])


def contents(records: list[Record]) -> list[bytes]:
    return [bytes(record.payload) for record in records]
