"""Row images are found where a reader that takes them one by one finds them."""

import random
from dataclasses import dataclass, field

import numpy as np

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog.rows import Found, scan
from zcbus.connectors.mysql.binlog.tables import ColumnMap
from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer


@dataclass
class _Events:
    """Events written one image after the other, and where each column was put."""

    columns: tuple[ColumnMap, ...]
    data: bytearray = field(default_factory=bytearray)
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """Number of the event, number of the image in it."""
    starts: list[list[int]] = field(default_factory=list)
    stops: list[list[int]] = field(default_factory=list)
    present: list[list[bool]] = field(default_factory=list)

    def add(self, images: int, chance: random.Random) -> None:
        self.data += chance.randbytes(chance.randrange(30))
        self.begins.append(len(self.data))
        for number in range(images):
            self.places.append((len(self.begins) - 1, number))
            self._image(chance)
        self.ends.append(len(self.data))

    def _image(self, chance: random.Random) -> None:
        nulls = [column.nullable and chance.random() < 0.3 for column in self.columns]
        bits = sum(1 << index for index, null in enumerate(nulls) if null)
        self.data += bits.to_bytes((len(self.columns) + 7) // 8, "little")
        starts, stops = [], []
        for column, null in zip(self.columns, nulls, strict=True):
            starts.append(len(self.data))
            if not null:
                length = chance.randrange(300 if column.prefix > 1 else 40) if column.prefix else 0
                self.data += length.to_bytes(column.prefix, "little") + chance.randbytes(column.fixed + length)
            stops.append(len(self.data))
        self.starts.append(starts)
        self.stops.append(stops)
        self.present.append([not null for null in nulls])

    def values(self, column: int) -> list[bytes]:
        """Those of a column of a fixed size that are not null."""
        images = zip(self.starts, self.stops, strict=True)
        values = [bytes(self.data[starts[column] : stops[column]]) for starts, stops in images]
        return [value for value in values if value and self.columns[column].fixed]

    def scanned(self) -> Found:
        buffer = Buffer(self.data + bytes(SLACK))
        return scan(buffer, self.columns, np.array(self.begins, np.int64), np.array(self.ends, np.int64))


def _column(chance: random.Random) -> ColumnMap:
    nullable = chance.random() < 0.6
    if chance.random() < 0.3:
        return ColumnMap(codes.VARCHAR, 0, 0, chance.choice((1, 2, 3, 4)), nullable)
    return ColumnMap(codes.LONG, 0, chance.choice((1, 2, 3, 4, 8, 30)), 0, nullable)


def _read(events: _Events, found: Found, column: int) -> list[bytes]:
    """The bytes of a column of a fixed size where it is not null; nothing of one with a length."""
    place, present = found.images.fixed(column), found.images.present(column)
    if place is None:
        return []
    present_rows = np.arange(len(events.places)) if present is None else np.flatnonzero(present)
    records, at = place
    return [octets.tobytes() for octets in records.chosen(present_rows).octets(at, events.columns[column].fixed)]


def test_every_column_of_every_image_is_found_in_tables_of_any_shape() -> None:
    chance = random.Random(7)
    for count in (1, 2, 7, 8, 9, 17, 40, 300):
        events = _Events(tuple(_column(chance) for _ in range(count)))
        for images in (1, 3, 0, 5, 2):
            events.add(images, chance)
        found = events.scanned()
        assert list(zip(found.events.tolist(), found.places.tolist(), strict=True)) == events.places
        some = found.images.chosen(np.array([0, 4, 9]))
        for column in range(count):
            expected = [starts[column] for starts in events.starts]
            assert found.images.starts(column).tolist() == expected
            assert some.starts(column).tolist() == [expected[0], expected[4], expected[9]]
            ends = found.images.ends(column)
            assert (ends is not None) == bool(events.columns[column].prefix)
            present_rows = np.array([image[column] for image in events.present])
            stops = np.array([stops[column] for stops in events.stops])
            assert ends is None or (ends[present_rows] == stops[present_rows]).all()
            present = found.images.present(column)
            present_flags = [True] * len(expected) if present is None else present.tolist()
            assert present_flags == [image[column] for image in events.present]
            assert _read(events, found, column) == events.values(column)


def test_events_without_images_hold_nothing() -> None:
    events = _Events((ColumnMap(codes.LONG, 0, 4, 0),))
    events.add(0, random.Random(1))
    assert len(events.scanned().events) == 0
