"""The messages that topics have now; see roles.SnapshotReader."""

import time
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.consuming.consumer import Consumer, Message, Partition, TopicTrouble, held
from zcbus.connectors.consuming.rows import ROW_KEY, MessageRows, refused
from zcbus.connectors.errors import SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.kit.clock import now_ms
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema

_Key = tuple[str, ...]
_READ_SECONDS = 0.5
_STALL_SECONDS = 60.0
_BATCH_BYTES = 8 << 20


class ConsumedImage:
    """A snapshot: partition after partition, offset after offset, in the order of the key.

    Topics are not read at one point in time: each is read up to its end at its turn. The change stream delivers what is
    committed later; what both have is equal.
    """

    def __init__(self, consumer: Consumer, rows: MessageRows, where: Mapping[str, str]) -> None:
        """`consumer` is closed with the image. `where`: kind and address, for errors."""
        self._consumer, self._rows, self._where = consumer, rows, where
        self._position = rounds.of_image(now_ms())

    @property
    def position(self) -> Position:
        return self._position

    def estimate(self, table: TableSchema) -> int | None:
        """Messages removed by compaction and transaction markers count too."""
        try:
            return held(self._consumer, self._partitions(table))
        except TopicTrouble as trouble:
            raise refused(trouble) from trouble

    def read(
        self,
        table: TableSchema,
        key: _Key,
        after: _Key | None,
        rows: int,
        until: _Key | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, _Key]]:
        if key not in ((), ROW_KEY):
            raise TableRefused(table=str(table.name), column=", ".join(key), reason="messages-key")
        try:
            for partition, start, end in self._ranges(table, self._offset_of(after), self._offset_of(until)):
                yield from self._of_partition(table, partition, start, end, rows)
        except TopicTrouble as trouble:
            raise refused(trouble) from trouble

    def __enter__(self) -> "ConsumedImage":
        return self

    def __exit__(self, *details: object) -> None:
        self._consumer.close()

    def _partitions(self, table: TableSchema) -> list[Partition]:
        name = table.name.table
        topic = self._consumer.topics([name]).get(name)
        if topic is None:
            raise TableMissing(table=str(table.name), side="source")
        return [(name, number) for number in topic.partitions]

    def _ranges(
        self, table: TableSchema, after: tuple[int, int] | None, until: tuple[int, int] | None
    ) -> Iterator[tuple[Partition, int, int]]:
        """Of each partition from which offset on, and up to which exclusively, it is read."""
        partitions = self._partitions(table)
        firsts, ends = self._consumer.firsts(partitions), self._consumer.ends(partitions)
        for partition in partitions:
            number, start, end = partition[1], firsts[partition], ends[partition]
            if after is not None and number <= after[0]:
                start = max(start, after[1] + 1) if number == after[0] else end
            if until is not None and number >= until[0]:
                end = min(end, until[1] + 1) if number == until[0] else start
            if start < end:
                yield partition, start, end

    def _of_partition(
        self, table: TableSchema, partition: Partition, start: int, end: int, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, _Key]]:
        self._consumer.follow({partition: start})
        try:
            part: list[Message] = []
            size = 0
            for message in self._messages(partition, start, end):
                part.append(message)
                size += message.size
                if len(part) == rows or size >= _BATCH_BYTES:
                    yield self._batch(table, part)
                    part, size = [], 0
            if part:
                yield self._batch(table, part)
        finally:
            self._consumer.leave([partition])

    def _messages(self, partition: Partition, start: int, end: int) -> Iterator[Message]:
        reached, progressed = start, time.monotonic()
        while reached < end:
            messages, passed = self._consumer.read(_READ_SECONDS)
            for message in messages:
                if (message.topic, message.partition) == partition:
                    if message.offset < end:
                        yield message
                    reached = message.offset + 1
            reached = max(reached, passed.get(partition, 0))
            if messages or passed:
                progressed = time.monotonic()
            elif time.monotonic() - progressed > _STALL_SECONDS:
                detail = f"{partition[0]}, partition {partition[1]}: no messages for {_STALL_SECONDS:g} s"
                raise SourceUnavailable(**self._where, detail=detail)

    def _batch(self, table: TableSchema, messages: Sequence[Message]) -> tuple[pa.RecordBatch, _Key]:
        last = messages[-1]
        return self._rows.rows(table, messages), (str(last.partition), self._rows.offsets.text(last.offset))

    def _offset_of(self, key: _Key | None) -> tuple[int, int] | None:
        return None if key is None else (int(key[0]), self._rows.offsets.parse(key[1]))
