"""A copy of a table of files, as a target that writes by key has it, and the table as a full load has it."""

from typing import Any

from tests.support.history import History
from zcbus.connectors.files.folder import FILE, RECORD
from zcbus.connectors.files.options import FilesOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation
from zcbus.model.position import Position
from zcbus.model.schema import TableName

ORDERS = TableName("files", "orders")
CAPTURED = [CapturedTable(ORDERS, (FILE, RECORD))]
Row = dict[str, str | None]
Rows = dict[tuple[str, str], Row]
"""By file and number of the record."""


class Copy:
    """With the progress that the bus has."""

    def __init__(self, options: FilesOptions) -> None:
        self.source = connector(options.kind).source(options)
        self.history = History()
        self.rows: Rows = {}
        self.position = self.source.prepare("n", CAPTURED)

    def open(self) -> Any:
        return self.source.open_changes("n", CAPTURED, self.position, self.history)

    def follow(self, stream: Any, most: int | None = None) -> int:
        """To the end of a round, or so many frames. Returns how many."""
        taken = 0
        while most is None or taken < most:
            for frame in stream.read(5.0):
                taken += 1
                if isinstance(frame, HeartbeatFrame):
                    self._acknowledge(stream, frame.position)
                    return taken
                self._take(frame)
                self._acknowledge(stream, frame.last_position)
        return taken

    def _acknowledge(self, stream: Any, position: Position) -> None:
        assert position > self.position
        self.position = position
        stream.acknowledge(position)

    def _take(self, frame: ChangeFrame) -> None:
        for part in frame.tables:
            keys = [tuple(key.values()) for key in part.keys_before.to_pylist()]
            for operation, key, row in zip(part.operations.to_pylist(), keys, part.rows.to_pylist(), strict=True):
                if operation == Operation.DELETE:
                    self.rows.pop(key, None)
                else:
                    assert key == (row[FILE], row[RECORD])
                    self.rows[key] = row


def in_folder(options: FilesOptions) -> Rows:
    """As an image has it; asserts its order."""
    made = connector(options.kind)
    with made.discoverer(options) as discoverer, made.reader(options, "source") as reader:
        (schema,) = discoverer.describe([ORDERS])
        rows = [row for batch, _ in reader.read(schema, schema.key(), None, 7) for row in batch.to_pylist()]
    order = [(row[FILE].encode(), int(row[RECORD])) for row in rows]
    assert order == sorted(order)
    return {(row[FILE], row[RECORD]): row for row in rows}
