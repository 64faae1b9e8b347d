"""Decodes messages of the output plugin `pgoutput` (protocol 1, text) into changes, all rows of a table at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.columns import Buffer, Mask, Span, decode_hexadecimal, decode_large_hexadecimal
from zcbus.connectors.postgresql.framing import Offsets
from zcbus.connectors.postgresql.origin import Noted, by_origin, read_mark
from zcbus.connectors.postgresql.relations import Relation, parse_relation
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import ChangeFrame, Operation, TableChanges, Transactions
from zcbus.model.origin import Origin
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

_BEGIN, _COMMIT, _RELATION, _INSERT, _UPDATE, _DELETE, _TRUNCATE, _MESSAGE = b"BCRIUDTM"
_NEW, _NULL, _UNCHANGED, _TEXT = b"Nnut"
_LARGE_BYTES = 8 << 20
"""Binary values of more than this together are decoded with care for memory instead of speed."""
_MICROSECONDS_TO_2000 = 946_684_800_000_000
_OPERATIONS = np.full(256, -1, np.int8)
_OPERATIONS[[_INSERT, _UPDATE, _DELETE, _TRUNCATE]] = [
    Operation.INSERT,
    Operation.UPDATE,
    Operation.DELETE,
    Operation.TRUNCATE,
]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the rows of a relation are to appear."""

    schema: TableSchema
    key: tuple[str, ...]


@dataclass(slots=True)
class _Open:
    """A transaction that the messages so far have not completed."""

    final: int
    """Where its commit record starts."""
    time: int
    """Its commit time in microseconds since 2000."""
    passed_on: bool
    """Whether an incomplete frame of it was given."""
    noted: list[Noted] = field(default_factory=list)


@dataclass(slots=True)
class Decoder:
    """Keeps between frames what the stream says only once."""

    resolve: Callable[[Relation], Wanted | None]
    """What becomes of a relation's rows; None: they are not wanted."""
    relations: dict[int, tuple[Relation, Wanted | None]] = field(default_factory=dict)
    reached: int = 0
    """Where the last complete transaction ended, rows or no rows."""
    _open: _Open | None = None

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
        for part in [piece for whole in parts for piece in self._by_structure(buffer, whole)]:
            frame = self._frame(buffer, part)
            if frame is not None:
                yield frame

    def _by_structure(self, buffer: Buffer, messages: Offsets) -> Iterator[Offsets]:
        """The messages, divided in front of transactions in which the server tells a known table's structure again:
        what lies before has the old one."""
        types = buffer.bytes[messages]
        begins = np.flatnonzero(types == _BEGIN)
        known = np.array(sorted(self.relations), np.int64)
        told = np.flatnonzero(types == _RELATION)
        oids = buffer.int32[messages[told] + 1].astype(np.int64) & 0xFFFFFFFF
        again = np.ones(len(oids), np.bool_)
        again[np.unique(oids, return_index=True)[1]] = False
        told = told[np.isin(oids, known) | again]
        places = np.searchsorted(begins, told, side="right") - 1
        cuts = sorted({int(begins[place]) for place in places if place >= 0 and begins[place] > 0})
        for start, stop in zip([0, *cuts], [*cuts, len(messages)], strict=True):
            yield messages[start:stop]

    def _frame(self, buffer: Buffer, messages: Offsets) -> ChangeFrame | None:
        types = buffer.bytes[messages]
        continued = self._open
        numbers = np.cumsum(types == _BEGIN) - (1 if continued is None else 0)
        noted = _noted(buffer, messages, types, numbers, continued)
        groups = list(self._groups(buffer, messages, types, numbers, noted))
        used = np.unique(np.concatenate([numbers[group.places] for group in groups])) if groups else np.empty(0, int)
        orders = _orders(buffer, messages, types)
        tables = tuple(
            _table_changes(buffer, messages, group, np.searchsorted(used, numbers[group.places]), orders)
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

    def _transactions(
        self, buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8], used: Offsets
    ) -> Transactions:
        """The used transactions (the last one where none is), and what is open afterwards.

        A complete transaction's position is the end of its commit record. The begin message tells only where that
        record starts: one byte further lies behind the end of every earlier transaction and not behind its own end.
        """
        begins = messages[types == _BEGIN]
        finals, times = buffer.int64[begins + 1].astype(np.int64), buffer.int64[begins + 9].astype(np.int64)
        if self._open is not None:
            finals, times = np.append(self._open.final, finals), np.append(self._open.time, times)
        if types[-1] == _COMMIT:
            positions = buffer.int64[messages[types == _COMMIT] + 10].astype(np.int64)
            self._open, self.reached = None, int(positions[-1])
        else:
            positions = finals + 1
            self._open = _Open(int(finals[-1]), int(times[-1]), False)
        keep = used if len(used) else np.array([len(positions) - 1])
        milliseconds = (times + _MICROSECONDS_TO_2000) // 1000
        files = np.zeros(len(keep), np.int64)
        return Transactions(pa.array(files), pa.array(positions[keep]), pa.array(milliseconds[keep]))

    def _groups(
        self,
        buffer: Buffer,
        messages: Offsets,
        types: npt.NDArray[np.uint8],
        numbers: Offsets,
        noted: Sequence[Noted],
    ) -> "Iterator[_Group]":
        """Rows by relation, and by its columns and their origin where these change on the way."""
        versions = self._versions(buffer, messages, types)
        rows = np.flatnonzero((types == _INSERT) | (types == _UPDATE) | (types == _DELETE))
        owners = buffer.int32[messages[rows] + 1].astype(np.int64) & 0xFFFFFFFF
        truncated = _truncated(buffer, messages, types)
        for oid in sorted({*np.unique(owners).tolist(), *truncated}):
            cleared = truncated.get(oid, {})
            places = np.sort(np.concatenate([rows[owners == oid], np.array(list(cleared), np.int64)]))
            bounds = [start for start, _, _ in versions[oid]] + [len(messages)]
            for (start, relation, wanted), end in zip(versions[oid], bounds[1:], strict=True):
                part = places[(places >= start) & (places < end)]
                if not len(part) or wanted is None:
                    continue
                for origin, run in by_origin(relation.name, part, numbers[part], noted):
                    yield _Group(relation, wanted, run, types[run], _shifts(run, cleared), origin)

    def _versions(
        self, buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8]
    ) -> dict[int, list[tuple[int, Relation, Wanted | None]]]:
        """Per relation, from which message on which columns hold."""
        versions = {oid: [(0, relation, wanted)] for oid, (relation, wanted) in self.relations.items()}
        for place in np.flatnonzero(types == _RELATION).tolist():
            start = int(messages[place]) + 1
            end = int(messages[place + 1]) if place + 1 < len(messages) else len(buffer.bytes)
            relation = parse_relation(buffer.bytes[start:end].tobytes())
            known = self.relations.get(relation.oid)
            # The server tells it again after anything about the table changed: what it does not tell may be new, too.
            wanted = self.resolve(relation)
            if known is None or known != (relation, wanted):
                self.relations[relation.oid] = (relation, wanted)
                versions.setdefault(relation.oid, []).append((place, relation, wanted))
        return versions


@dataclass(frozen=True, slots=True)
class _Group:
    """Changes of one relation with the same columns and the same origin."""

    relation: Relation
    wanted: Wanted
    places: npt.NDArray[np.int64]
    """Which messages."""
    types: npt.NDArray[np.uint8]
    shifts: npt.NDArray[np.int64]
    """Place within a message that truncates several tables."""
    origin: Origin


@dataclass(slots=True)
class _Tuples:
    """Where column values of some of a group's rows lie: starts, ends and kinds, one array a column."""

    starts: list[Offsets]
    ends: list[Offsets]
    kinds: list[npt.NDArray[np.uint8]]
    end: Offsets


def _noted(
    buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8], numbers: Offsets, continued: _Open | None
) -> list[Noted]:
    """All marks of origin, those of the transaction that goes on first."""
    found = [] if continued is None else list(continued.noted)
    for place in np.flatnonzero(types == _MESSAGE).tolist():
        found.append(Noted(place, int(numbers[place]), read_mark(buffer.bytes.data, int(messages[place]))))
    return found


def _truncated(buffer: Buffer, messages: Offsets, types: npt.NDArray[np.uint8]) -> dict[int, dict[int, int]]:
    """Relation → message → the relation's place in the message."""
    found: dict[int, dict[int, int]] = {}
    for place in np.flatnonzero(types == _TRUNCATE).tolist():
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
    truncations = types == _TRUNCATE
    widths[truncations] = buffer.int32[messages[truncations] + 1]
    numbers: Offsets = np.cumsum(widths) - widths
    return numbers


def _walk(buffer: Buffer, position: Offsets, count: int) -> _Tuples:
    """Follow the columns of all tuples at once; `position` is where the first column begins."""
    starts, ends, kinds = [], [], []
    for _ in range(count):
        kind = buffer.bytes[position]
        text = kind == _TEXT
        if text.all():
            start = position + 5
            end = start + buffer.int32[position + 1]
        else:
            start = position + 1 + 4 * text
            end = start + np.where(text, buffer.int32[position + 1], 0)
        starts.append(start)
        ends.append(end)
        kinds.append(kind)
        position = end
    return _Tuples(starts, ends, kinds, position)


def _table_changes(
    buffer: Buffer, messages: Offsets, group: _Group, transactions: Offsets, first: Offsets
) -> TableChanges:
    offsets, types = messages[group.places], group.types
    count = len(group.relation.columns)
    tags = buffer.bytes[np.minimum(offsets + 5, len(buffer.bytes) - 1)]
    has_old = ((types == _UPDATE) & (tags != _NEW)) | (types == _DELETE)
    has_new = (types == _INSERT) | (types == _UPDATE)
    old = _walk(buffer, offsets[has_old] + 8, count)
    news = offsets + 8
    news[has_old] = old.end + 3
    new = _walk(buffer, news[has_new], count)
    after = [_spread(offsets, has_new, new, place) for place in range(count)]
    before = _Before(offsets, has_old, old)
    rows, unchanged = _rows(buffer, group, after, before)
    return TableChanges(
        schema=group.wanted.schema,
        key=group.wanted.key,
        operations=pa.array(_OPERATIONS[types]),
        transactions=pa.array(transactions.astype(np.int32)),
        order=pa.array(first[group.places] + group.shifts),
        rows=rows,
        keys_before=_keys_before(buffer, group, after, before),
        unchanged=unchanged,
        origin=group.origin,
    )


@dataclass(slots=True)
class _Column:
    """One column over all rows of a group; `kinds` is NULL's where a row has no such tuple."""

    starts: Offsets
    ends: Offsets
    kinds: npt.NDArray[np.uint8]

    def take_where(self, mask: Mask, other: "_Column") -> "_Column":
        """This column, with the other's values where the mask says so."""
        return _Column(
            np.where(mask, other.starts, self.starts),
            np.where(mask, other.ends, self.ends),
            np.where(mask, other.kinds, self.kinds),
        )

    def array(self, buffer: Buffer, kind: Kind) -> ArrowArray:
        text = self.kinds == _TEXT
        span = Span(self.starts, self.ends, None if text.all() else text)
        if kind != Kind.BINARY:
            return span.array(buffer)
        large = int((self.ends - self.starts).sum()) > _LARGE_BYTES
        return decode_large_hexadecimal(buffer, span) if large else decode_hexadecimal(span.array(buffer))


def _spread(offsets: Offsets, mask: Mask, tuples: _Tuples, place: int) -> _Column:
    """A column of some rows as a column of all rows. Rows without the tuple point at their own message, so that the
    places keep going up."""
    if mask.all():
        return _Column(tuples.starts[place], tuples.ends[place], tuples.kinds[place])
    starts, ends = offsets.copy(), offsets.copy()
    kinds = np.full(len(offsets), _NULL, np.uint8)
    starts[mask], ends[mask], kinds[mask] = tuples.starts[place], tuples.ends[place], tuples.kinds[place]
    return _Column(starts, ends, kinds)


@dataclass(frozen=True, slots=True)
class _Before:
    """Columns of the old tuples, looked at only where one is needed."""

    offsets: Offsets
    mask: Mask
    tuples: _Tuples

    def column(self, place: int) -> _Column:
        return _spread(self.offsets, self.mask, self.tuples, place)


def _rows(
    buffer: Buffer, group: _Group, after: list[_Column], before: _Before
) -> tuple[pa.RecordBatch, dict[str, ArrowArray]]:
    arrays, unchanged = [], {}
    for place, column in enumerate(group.wanted.schema.columns):
        # What the update did not touch is not sent; a full old row has it all the same.
        missing = after[place].kinds == _UNCHANGED
        if missing.any():
            old = before.column(place)
            after[place] = after[place].take_where(missing & (old.kinds == _TEXT), old)
            missing = after[place].kinds == _UNCHANGED
            if missing.any():
                unchanged[column.name] = pa.array(missing)
        arrays.append(after[place].array(buffer, column.type.kind))
    return pa.RecordBatch.from_arrays(arrays, names=list(group.wanted.schema.names)), unchanged


def _keys_before(buffer: Buffer, group: _Group, after: list[_Column], before: _Before) -> pa.RecordBatch:
    schema, key = group.wanted.schema, group.wanted.key
    is_update = (group.types == _UPDATE) & ~before.mask
    needed = before.mask | is_update
    arrays: list[ArrowArray] = []
    for name in key:
        place = schema.names.index(name)
        # Without an old tuple the key is what it was.
        values = before.column(place).take_where(is_update, after[place])
        if (values.kinds[needed] != _TEXT).any():
            reason = "key-not-in-replica-identity"
            raise TableRefused(table=str(schema.name), column=name, reason=reason)
        arrays.append(values.array(buffer, schema.column(name).type.kind))
    return pa.RecordBatch.from_arrays(arrays, names=list(key))
