"""The part of the log that is read and not emitted yet: rows events of captured tables, and their transactions."""

from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer
from zcbus.connectors.mysql.capture.frames import RowsEvent, Transaction
from zcbus.model.position import START

_ELSEWHERE = 1 << 40
"""Added to offsets in the side buffer, until both buffers are joined."""


class Segment:
    """Rows events in log order, by their offsets in the receive buffer. Decompressed events are in a side buffer."""

    def __init__(self) -> None:
        self.events: list[RowsEvent] = []
        self.transactions: list[Transaction] = []
        self._closed_events = 0
        """How many of them belong to transactions that are complete."""
        self._closed_transactions = 0
        self._side = bytearray()

    @property
    def first_event_offset(self) -> int | None:
        """Offset in the receive buffer of the first event; None: there is none."""
        places = [event.start for event in self.events if event.start < _ELSEWHERE]
        return min(places) if places else None

    @property
    def has_complete(self) -> bool:
        """Whether there are complete transactions."""
        return bool(self._closed_transactions)

    @property
    def open_events(self) -> list[RowsEvent]:
        """Those of the open transaction."""
        return self.events[self._closed_events :]

    @property
    def is_open(self) -> bool:
        """Whether the last transaction is not complete."""
        return len(self.transactions) > self._closed_transactions

    def moved(self, distance: int) -> None:
        """The buffer's content went that far towards its front."""
        for event in self.events:
            if event.start < _ELSEWHERE:
                event.start -= distance
                event.end -= distance

    def add_decompressed(self, plain: bytes) -> int:
        """Append decompressed bytes to the side buffer; returns the shift of offsets in them."""
        shift = _ELSEWHERE + len(self._side)
        self._side += plain
        return shift

    def open(self) -> int:
        """The open transaction's number; begins one where none is open."""
        if len(self.transactions) == self._closed_transactions:
            self.transactions.append(Transaction(START, 0))
        return len(self.transactions) - 1

    def close(self, transaction: Transaction) -> None:
        """Complete the open transaction, if there is one, with these facts."""
        if self.is_open:
            self.transactions[-1] = transaction
        self._closed_events, self._closed_transactions = len(self.events), len(self.transactions)

    def roll_back(self) -> None:
        """Forget the open transaction."""
        del self.events[self._closed_events :]
        del self.transactions[self._closed_transactions :]

    def detach_complete(self, data: bytearray) -> tuple[Buffer, list[RowsEvent], list[Transaction]]:
        """Remove and return everything of complete transactions, with the buffer."""
        return self._detach(data, self._closed_events, self._closed_transactions)

    def detach_open(self, data: bytearray) -> tuple[Buffer, list[RowsEvent], list[Transaction]]:
        """Remove and return the events so far of the open transaction, if none is complete; it stays open."""
        taken = self._detach(data, len(self.events), 1)
        self.transactions = []
        return taken

    def _detach(
        self, data: bytearray, events: int, transactions: int
    ) -> tuple[Buffer, list[RowsEvent], list[Transaction]]:
        taken, self.events = self.events[:events], self.events[events:]
        begun, self.transactions = self.transactions[:transactions], self.transactions[transactions:]
        buffer = self._buffer(data, taken)
        for event in self.events:
            event.transaction -= transactions
        self._closed_events = self._closed_transactions = 0
        if not any(event.start >= _ELSEWHERE for event in self.events):
            self._side = bytearray()
        return buffer, taken, begun

    def _buffer(self, data: bytearray, taken: list[RowsEvent]) -> Buffer:
        """The received bytes, followed by the side buffer if an event is in it."""
        if not any(event.start >= _ELSEWHERE for event in taken):
            return Buffer(data)
        shift = len(data) - _ELSEWHERE
        for event in taken:
            if event.start >= _ELSEWHERE:
                event.start += shift
                event.end += shift
        return Buffer(data + self._side + bytes(SLACK))
