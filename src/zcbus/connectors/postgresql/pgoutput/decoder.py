"""Decodes messages of the output plugin `pgoutput` (protocol 1, text) into changes, all rows of a table at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.connectors.postgresql.pgoutput.columns import Buffer
from zcbus.connectors.postgresql.pgoutput.framing import Offsets
from zcbus.connectors.postgresql.pgoutput.origins import Noted, by_origin
from zcbus.connectors.postgresql.pgoutput.relations import Relation, parse_relation
from zcbus.connectors.postgresql.pgoutput.rows import (
    DELETE,
    INSERT,
    TRUNCATE,
    UPDATE,
    CapturedShape,
    Group,
    table_changes,
)
from zcbus.model.changes import ChangeFrame, Transactions
from zcbus.model.origin import Mark

Versions = dict[int, list[tuple[int, Relation, CapturedShape | None]]]
_BEGIN, _COMMIT, _RELATION, _MESSAGE = b"BCRM"
_MICROSECONDS_TO_2000 = 946_684_800_000_000


@dataclass(slots=True)
class _Open:
    """A transaction that the messages so far have not completed."""

    final: int
    """Where its commit record starts."""
    time: int
    """Its commit time in microseconds since 2000."""
    id: int
    """Its transaction id, 32 bits."""
    passed_on: bool
    """Whether an incomplete frame of it was emitted."""
    noted: list[Noted] = field(default_factory=list)


class Described(NamedTuple):
    """A relation as a transaction describes it, before the first rows of this form."""

    relation: Relation
    transaction: int
    """Id of the transaction, 32 bits."""
    final: int
    """Where its commit record starts."""
    repeated: bool
    """The transaction has described the relation before."""


@dataclass(slots=True)
class Decoder:
    """Decodes messages into frames; keeps what the stream sends only once."""

    resolve: Callable[[Described], CapturedShape | None]
    """How a relation's rows are captured; None: they are not."""
    truncated: Callable[[int, int, int], None]
    """Called with the oid of each relation that a transaction truncates, the transaction's id, and where its commit
    record starts."""
    logged: Callable[[int, int], None]
    """Called with the oids of a captured relation and of its partition, before rows of the partition."""
    read_mark: Callable[[memoryview, int], Mark]
    """The origin mark in the logical message at an offset; messages that are none are left out by the caller."""
    relations: dict[int, tuple[Relation, CapturedShape | None]] = field(default_factory=dict)
    reached: int = 0
    """Where the last complete transaction ended, rows or no rows."""
    _open: _Open | None = None
    _described: set[int] = field(default_factory=set)
    """Relations that the last transaction has described."""

    @property
    def is_inside_transaction(self) -> bool:
        """Whether the messages so far end inside a transaction."""
        return self._open is not None

    def frames(self, buffer: Buffer, messages: Offsets) -> Iterator[ChangeFrame]:
        """Changes of messages that either end with a commit or are the next part of one transaction. The rest of a
        transaction that was left incomplete makes a frame of its own. Transactions without rows leave no trace."""
        commits = np.flatnonzero(buffer.bytes[messages] == _COMMIT)
        parts = [messages]
        if self._open is not None and len(commits) and commits[0] < len(messages) - 1:
            parts = [messages[: commits[0] + 1], messages[commits[0] + 1 :]]
        for part in [piece for messages_of_part in parts for piece in self._by_schema(buffer, messages_of_part)]:
            frame = self._frame(buffer, part)
            if frame is not None:
                yield frame

    def _by_schema(self, buffer: Buffer, messages: Offsets) -> Iterator[Offsets]:
        """The messages, divided before transactions in which the server describes a known table again: earlier rows
        have the old columns."""
        types = buffer.bytes[messages]
        begins = np.flatnonzero(types == _BEGIN)
        known = np.array(sorted(self.relations), np.int64)
        relations_at = np.flatnonzero(types == _RELATION)
        oids = buffer.int32[messages[relations_at] + 1].astype(np.int64) & 0xFFFFFFFF
        repeated = np.ones(len(oids), np.bool_)
        repeated[np.unique(oids, return_index=True)[1]] = False
        relations_at = relations_at[np.isin(oids, known) | repeated]
        places = np.searchsorted(begins, relations_at, side="right") - 1
        cuts = sorted({int(begins[place]) for place in places if place >= 0 and begins[place] > 0})
        for start, stop in zip([0, *cuts], [*cuts, len(messages)], strict=True):
            yield messages[start:stop]

    def _frame(self, buffer: Buffer, messages: Offsets) -> ChangeFrame | None:
        types = buffer.bytes[messages]
        continued = self._open
        numbers = np.cumsum(types == _BEGIN) - (1 if continued is None else 0)
        noted = self._noted(buffer, messages, types, numbers)
        versions = self._versions(buffer, messages, types, numbers)
        groups = list(self._groups(buffer, messages, types, numbers, noted, versions))
        used = np.unique(np.concatenate([numbers[group.places] for group in groups])) if groups else np.empty(0, int)
        orders = _orders(buffer, messages, types)
        tables = tuple(
            table_changes(buffer, messages, group, np.searchsorted(used, numbers[group.places]), orders)
            for group in groups
        )
        transactions = self._transactions(buffer, messages, types, used)
        complete = self._open is None
        passed_on = continued is not None and continued.passed_on
        if self._open is not None:
            self._open.passed_on = passed_on or bool(tables)
            self._open.noted = [Noted(-1, 0, one.mark) for one in noted if one.transaction == numbers[-1]]
        if not tables and not (complete and passed_on):
            return None
        return ChangeFrame(transactions, complete, tables)

    def _noted(self, buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8], numbers: Offsets) -> list[Noted]:
        """All origin marks; those of the continued transaction come first."""
        found = [] if self._open is None else list(self._open.noted)
        for place in np.flatnonzero(types == _MESSAGE).tolist():
            mark = self.read_mark(buffer.bytes.data, int(messages[place]))
            found.append(Noted(place, int(numbers[place]), mark))
        return found

    def _transactions(
        self, buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8], used: Offsets
    ) -> Transactions:
        """The used transactions (the last one if none is), and which one is open afterwards.

        A complete transaction's position is the end of its commit record. The begin message has only the start of that
        record: one byte further is after the end of every earlier transaction and before its own end.
        """
        begins = messages[types == _BEGIN]
        finals, ids = self._begun(buffer, begins)
        times = buffer.int64[begins + 9].astype(np.int64)
        if self._open is not None:
            times = np.append(self._open.time, times)
        if types[-1] == _COMMIT:
            positions = buffer.int64[messages[types == _COMMIT] + 10].astype(np.int64)
            self._open, self.reached = None, int(positions[-1])
        else:
            positions = finals + 1
            self._open = _Open(int(finals[-1]), int(times[-1]), int(ids[-1]), False)
        keep = used if len(used) else np.array([len(positions) - 1])
        milliseconds = (times + _MICROSECONDS_TO_2000) // 1000
        files = np.zeros(len(keep), np.int64)
        return Transactions(pa.array(files), pa.array(positions[keep]), pa.array(milliseconds[keep]))

    def _begun(self, buffer: Buffer, begins: Offsets) -> tuple[Offsets, Offsets]:
        """Start of each transaction's commit record, and its id; the continued one comes first."""
        finals, ids = buffer.int64[begins + 1].astype(np.int64), buffer.int32[begins + 17].astype(np.int64) & 0xFFFFFFFF
        if self._open is None:
            return finals, ids
        return np.append(self._open.final, finals), np.append(self._open.id, ids)

    def _groups(
        self,
        buffer: Buffer,
        messages: Offsets,
        types: npt.NDArray[np.uint8],
        numbers: Offsets,
        noted: Sequence[Noted],
        versions: Versions,
    ) -> "Iterator[Group]":
        """Rows by relation, columns and origin."""
        rows = np.flatnonzero((types == INSERT) | (types == UPDATE) | (types == DELETE))
        owners = buffer.int32[messages[rows] + 1].astype(np.int64) & 0xFFFFFFFF
        truncated = _truncated(buffer, messages, types)
        if truncated:
            finals, ids = self._begun(buffer, messages[types == _BEGIN])
            for oid, cleared in truncated.items():
                for place in cleared:
                    self.truncated(oid, int(ids[numbers[place]]), int(finals[numbers[place]]))
        for oid in sorted({*np.unique(owners).tolist(), *truncated}):
            cleared = truncated.get(oid, {})
            places = np.sort(np.concatenate([rows[owners == oid], np.array(list(cleared), np.int64)]))
            bounds = [start for start, _, _ in versions[oid]] + [len(messages)]
            for (start, relation, captured), end in zip(versions[oid], bounds[1:], strict=True):
                part = places[(places >= start) & (places < end)]
                if not len(part) or captured is None:
                    continue
                for origin, run in by_origin(relation.name, part, numbers[part], noted):
                    yield Group(relation, captured, run, types[run], _shifts(run, cleared), origin)

    def _versions(self, buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8], numbers: Offsets) -> Versions:
        """Per relation, from which message on which columns hold."""
        versions = {oid: [(0, relation, captured)] for oid, (relation, captured) in self.relations.items()}
        places = np.flatnonzero(types == _RELATION).tolist()
        finals, ids = self._begun(buffer, messages[types == _BEGIN]) if places else (numbers, numbers)
        last = 0 if self._open is not None else -1
        root = root_index = -1
        for place in places:
            start = int(messages[place]) + 1
            end = int(messages[place + 1]) if place + 1 < len(messages) else len(buffer.bytes)
            relation = parse_relation(buffer.bytes[start:end].tobytes())
            number = int(numbers[place])
            if number != last:
                self._described.clear()
                last = number
            repeated = relation.oid in self._described
            self._described.add(relation.oid)
            known = self.relations.get(relation.oid)
            # The server describes a relation again after any change of the table: what the message lacks may have
            # changed too.
            captured = self.resolve(Described(relation, int(ids[number]), int(finals[number]), repeated))
            if captured is not None:
                root, root_index = relation.oid, place
            elif place == root_index + 1:
                # The server describes a partition directly after the table that it is published as.
                self.logged(root, relation.oid)
            if known is None or known != (relation, captured):
                self.relations[relation.oid] = (relation, captured)
                versions.setdefault(relation.oid, []).append((place, relation, captured))
        return versions


def _truncated(buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8]) -> dict[int, dict[int, int]]:
    """Relation → message → the relation's index in the message."""
    found: dict[int, dict[int, int]] = {}
    for place in np.flatnonzero(types == TRUNCATE).tolist():
        start = int(messages[place])
        for number in range(int(buffer.int32[start + 1])):
            oid = int(buffer.int32[start + 6 + 4 * number]) & 0xFFFFFFFF
            found.setdefault(oid, {})[place] = number
    return found


def _shifts(places: Offsets, cleared: dict[int, int]) -> Offsets:
    shifts = np.zeros(len(places), np.int64)
    for message, number in cleared.items():
        shifts[places == message] = number
    return shifts


def _orders(buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8]) -> Offsets:
    """Order number of each message's first change; a truncation of several tables has several."""
    widths = np.ones(len(messages), np.int64)
    truncations = types == TRUNCATE
    widths[truncations] = buffer.int32[messages[truncations] + 1]
    numbers: Offsets = np.cumsum(widths) - widths
    return numbers
