"""Decoder of the log's events in order: tracks transactions and schemas, and makes frames."""

from dataclasses import replace

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mysql.binlog import events as events
from zcbus.connectors.mysql.binlog.charsets import Charsets
from zcbus.connectors.mysql.binlog.events import HEADER, HEADER_BYTES
from zcbus.connectors.mysql.binlog.vectors import Buffer
from zcbus.connectors.mysql.capture.frames import RowsEvent, Transaction, change_frame, schema_frame, truncate_frame
from zcbus.connectors.mysql.capture.gtids import GtidSet, MySQLGtids, parse_previous
from zcbus.connectors.mysql.capture.position import FIRST_EVENT, LogFile
from zcbus.connectors.mysql.capture.segment import Segment
from zcbus.connectors.mysql.capture.tables import Captured, CapturedTables
from zcbus.connectors.mysql.origin import MarkTable, origin_of
from zcbus.model.changes import ChangeFrame
from zcbus.model.origin import Origin
from zcbus.model.position import START, Position
from zcbus.model.schema import TableName

_CHECKSUM_BYTES = 4
_STATEMENTS = ("INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD")
_HEARTBEATS = frozenset({events.HEARTBEAT, events.HEARTBEAT_V2})
_GTIDS = frozenset({events.GTID, events.ANONYMOUS_GTID, events.GTID_TAGGED, events.MARIADB_GTID})


class BinlogDecoder:
    """Consumes events one by one; returns frames on request, and completes one at each schema change."""

    def __init__(
        self,
        tables: CapturedTables,
        charsets: Charsets,
        file: LogFile,
        offset: int,
        after: Position,
        gtids: GtidSet | None = None,
        by_set: bool = False,
    ) -> None:
        """`gtids`: the GTID set up to `after`; None: the log has none.

        `by_set`: the received events are those after the set, wherever they are. Otherwise they are those from `offset`
        on, and the ones up to `after` are skipped.
        """
        self._tables = tables
        self._charsets = charsets
        self._file = file
        self._end = offset
        self._after = START if by_set else after
        self._checksum = 0
        self._by_id: dict[int, Captured | MarkTable | None] = {}
        self._origins: dict[TableName, Origin] = {}
        """Origins marked in the open transaction."""
        self._segment = Segment()
        self._frames: list[ChangeFrame] = []
        self._open = False
        self._standalone = False
        self._void = False
        self._begun: int | None = None
        self._past_start = False
        self._time: int | None = None
        self._partial = False
        self._gtids = gtids
        self._gtid: tuple[str, int] | None = None
        """Of the open transaction."""
        self.boundary = after
        """End of the last complete transaction, captured or not."""

    @property
    def first_event_offset(self) -> int | None:
        """Offset in the buffer of the first event that is not in a frame yet; None: there is none."""
        return self._segment.first_event_offset

    @property
    def gtid_set(self) -> str:
        """All transactions up to `boundary` (see ChangeFrame)."""
        return str(self._gtids) if self._gtids is not None else ""

    @property
    def is_partial(self) -> bool:
        """Whether a part of the open transaction was emitted."""
        return self._partial

    @property
    def is_between(self) -> bool:
        """Whether no transaction is open, and every event is in a frame."""
        return not self._open and not self._standalone and not self._segment.events

    @property
    def open_bytes(self) -> int:
        """Size of the open transaction's rows events that are not in a frame yet."""
        return sum(event.end - event.start for event in self._segment.open_events)

    @property
    def file(self) -> LogFile:
        """Of the newest event."""
        return self._file

    def continue_with(self, following: LogFile) -> bool:
        """Continue with the first event of another file, as on a new connection.

        The open transaction is forgotten: its file ended before it did. Returns whether a part of it was emitted.
        """
        was_partial = self._partial
        self._segment.roll_back()
        self._by_id.clear()
        self._checksum, self._gtid = 0, None
        self._leave(self.boundary)
        self._rotate(following.name, FIRST_EVENT)
        return was_partial

    def moved(self, distance: int) -> None:
        """The buffer's content went that far towards its front."""
        self._segment.moved(distance)

    def frames(self, data: bytearray, split: bool) -> list[ChangeFrame]:
        """The frames of complete transactions; with `split` also of the open transaction's rows so far."""
        self._emit_complete(data)
        if split and self._segment.events:
            self._segment.transactions[0].position = self._position_inside()
            self._emit(*self._segment.detach_open(data), complete=False)
            self._partial = True
        frames, self._frames = self._frames, []
        return frames

    def event(self, data: bytearray, at: int, end: int) -> None:
        """Decode the event at [at, end)."""
        seconds, kind, server, _, log_position, _ = HEADER.unpack_from(data, at)
        body = at + HEADER_BYTES
        end -= self._checksum
        start = self._end
        if log_position and kind not in _HEARTBEATS:
            # Positions in headers have 32 bits; files grow larger when a transaction does.
            self._end += (log_position - self._end) & 0xFFFFFFFF
        if kind in events.ROWS:
            self._rows(kind, data, body, end, 0)
        elif kind == events.TABLE_MAP:
            self._table_map(bytes(data[body:end]))
        elif kind == events.XID:
            self._commit(data, seconds)
        elif kind in _GTIDS:
            self._begin(kind, bytes(data[body:end]), start, server)
        else:
            self._other(kind, data, at, end, start, seconds)
            if kind in events.BETWEEN_TRANSACTIONS:
                self._pass_between()

    def _pass_between(self) -> None:
        """The boundary moves behind an event of the server's own; who waits for the log's end reaches it without a
        transaction."""
        if not self._open and not self._standalone and self._begun is None:
            self.boundary = max(self.boundary, self._file.at(self._end))

    def _table_map(self, body: bytes) -> None:
        if not self._is_before_start():
            self._by_id[int.from_bytes(body[:6], "little")] = self._tables.find(body[6:])

    def _begin(self, kind: int, body: bytes, start: int, server: int) -> None:
        """Start of a transaction; MariaDB marks one that is a single event."""
        begun = events.transaction_start(kind, body, server)
        self._begun, self._time, self._gtid = start, begun.committed_ms, begun.gtid
        self._void = begun.is_void
        if kind == events.MARIADB_GTID:
            self._standalone, self._open = begun.is_alone, not begun.is_alone
        elif kind == events.GTID_TAGGED and begun.gtid is None:
            self._gtids = None  # the event and everything after it is not counted

    def _other(self, kind: int, data: bytearray, at: int, end: int, start: int, seconds: int) -> None:
        body = bytes(data[at + HEADER_BYTES : end])
        if kind == events.QUERY:
            self._query(body, data, start, seconds)
        elif kind == events.QUERY_COMPRESSED:
            self._query(events.uncompressed_query(body), data, start, seconds)
        elif kind in events.COMPRESSED_ROWS:
            self._compressed_rows(kind, bytes(data[at:end]))
        elif kind == events.TRANSACTION_PAYLOAD:
            self._payload(events.payload_events(body), data)
        elif kind == events.ROTATE:
            self._rotate(*events.parse_rotate(body))
        elif kind == events.FORMAT_DESCRIPTION:
            self._checksum = _CHECKSUM_BYTES if events.has_checksums(bytes(data[at : end + self._checksum])) else 0
        else:
            self._rare(kind, body, data, seconds)

    def _rare(self, kind: int, body: bytes, data: bytearray, seconds: int) -> None:
        if kind == events.XA_PREPARE:
            if not body[0] and self._segment.open_events:
                raise self._refused("xa-transaction")
            self._commit(data, seconds)
        elif kind == events.PREVIOUS_GTIDS:
            self._previous(body)
        elif kind == events.PARTIAL_UPDATE:
            table = self._by_id.get(int.from_bytes(body[:6], "little"))
            if isinstance(table, Captured):
                raise TableRefused(table=str(table.schema.name), column="", reason="row-image-not-full")

    def _previous(self, body: bytes) -> None:
        """The GTID set before a file of MySQL's log."""
        if isinstance(self._gtids, MySQLGtids):
            runs = parse_previous(body)
            for source, run in runs or ():
                self._gtids.add_run(source, run)
            self._gtids = None if runs is None else self._gtids

    def _rows(self, kind: int, data: bytearray, body: int, end: int, shift: int) -> None:
        table_id, start = events.rows_head(kind, data, body)
        table = self._by_id.get(table_id)
        if isinstance(table, MarkTable):
            # Also before the start position: that may be inside the transaction of the mark.
            if kind not in events.DELETES:
                self._origins.update(table.read(data, start, end))
            return
        if table is None or self._is_before_start():
            return
        transaction = self._segment.open()
        if start < end:
            origin = self._origins.get(table.schema.name, ()) if self._origins else ()
            self._segment.events.append(RowsEvent(kind, table, start + shift, end + shift, transaction, origin))

    def _compressed_rows(self, kind: int, event: bytes) -> None:
        plain = events.uncompressed_rows(kind, event)
        shift = self._segment.add_decompressed(plain)
        self._rows(events.COMPRESSED_ROWS[kind], bytearray(plain), HEADER_BYTES, len(plain), shift)

    def _payload(self, inner: bytes, data: bytearray) -> None:
        """The events of a compressed transaction end where the event that holds them ends."""
        end_of_all, checksum, at = self._end, self._checksum, 0
        self._checksum = 0
        shift = self._segment.add_decompressed(inner)
        view = bytearray(inner)
        while at < len(view):
            kind, size = view[at + 4], int.from_bytes(view[at + 9 : at + 13], "little")
            if kind in events.ROWS:
                self._rows(kind, view, at + HEADER_BYTES, at + size, shift)
            else:
                view[at + 13 : at + 17] = bytes(4)
                inner_event = bytearray(view[at : at + size])
                self._inner(inner_event, data)
            at += size
        self._end, self._checksum = end_of_all, checksum

    def _inner(self, event: bytearray, data: bytearray) -> None:
        """An event inside a compressed transaction; it never refers to offsets in its own bytes."""
        seconds, kind, *_ = HEADER.unpack_from(event)
        if kind == events.TABLE_MAP:
            self._table_map(bytes(event[HEADER_BYTES:]))
        elif kind == events.XID:
            self._commit(data, seconds)
        elif kind == events.QUERY:
            self._query(bytes(event[HEADER_BYTES:]), data, self._end, seconds)

    def _query(self, body: bytes, data: bytearray, start: int, seconds: int) -> None:
        query = events.parse_query(body, self._charsets.statement)
        keyword = query.keyword
        if keyword in ("BEGIN", "START TRANSACTION"):
            self._open = True
            self._begun = start if self._begun is None else self._begun
        elif keyword == "COMMIT":
            self._commit(data, seconds)
        elif keyword == "ROLLBACK":
            self._roll_back(seconds)
        elif keyword == "ROLLBACK TO" and self._segment.open_events:
            raise self._refused("rollback-to-savepoint")
        elif (
            keyword.startswith(_STATEMENTS)
            and not self._is_before_start()
            and (names := self._tables.mentioned(query.text))
        ):
            raise TableRefused(table=str(names[0]), column="", reason="statement-in-log")
        elif not self._open:
            self._apply_ddl(query, data, seconds)
        elif query.is_ddl:
            self._check_inner(query)

    def _check_inner(self, query: events.Query) -> None:
        """A statement among the rows of a transaction, as MariaDB logs `CREATE OR REPLACE TABLE … SELECT`. Raises
        TableRefused if it concerns a captured table: the rows before it are those of another one."""
        position = self._file.at(self._end)
        changes = self._tables.follow(query, position) if position > self._after else []
        if changes:
            raise TableRefused(table=str(changes[0].schema.name), column="", reason="statement-in-log")

    def _apply_ddl(self, query: events.Query, data: bytearray, seconds: int) -> None:
        """A statement outside of transactions: rows before it have the old schema, so they are emitted first."""
        self._begun, self._time = None, None
        position = self._file.at(self._end)
        is_of_interest = query.is_ddl and position > self._after and not self._void
        schema_changes = self._tables.follow(query, position) if is_of_interest else []
        if schema_changes:
            self._emit_complete(data)
            self._by_id.clear()
        self._count()
        for change in schema_changes:
            transaction = Transaction(position, seconds * 1000)
            if change.emptied:
                frame = truncate_frame(change.schema, change.key, transaction, origin_of(query.text))
            else:
                frame = schema_frame(change.schema, change.key, transaction)
            self._frames.append(replace(frame, gtid_set=self.gtid_set))
        self.boundary = position

    def _commit(self, data: bytearray, seconds: int) -> None:
        position = self._file.at(self._end)
        if self._partial:
            self._segment.open()
        self._segment.close(Transaction(position, self._time or seconds * 1000))
        self._leave(position)

    def _roll_back(self, _seconds: int) -> None:
        """Only rows of tables without transactions persist, and those are logged separately."""
        if self._partial:
            raise self._refused("rollback-in-log")
        self._segment.roll_back()
        self._leave(self._file.at(self._end))

    def _leave(self, position: Position) -> None:
        self.boundary = position
        self._open = self._standalone = self._partial = False
        self._begun, self._time = None, None
        self._origins = {}
        self._count()

    def _count(self) -> None:
        if self._gtid is not None and self._gtids is not None:
            self._gtids.add(*self._gtid)
        self._gtid = None

    def _emit_complete(self, data: bytearray) -> None:
        if self._segment.has_complete:
            self._emit(*self._segment.detach_complete(data), complete=True)

    def _emit(
        self, buffer: Buffer, events: list[RowsEvent], transactions: list[Transaction], *, complete: bool
    ) -> None:
        self._frames.append(change_frame(buffer, events, transactions, complete, self._charsets, self.gtid_set))

    def _rotate(self, name: str, offset: int) -> None:
        file = LogFile.parse(name, self._file.log)
        if file.number != self._file.number:
            self._file, self._end = file, max(offset, FIRST_EVENT)
            if not self._open:
                self.boundary = max(self.boundary, file.at(self._end))

    def _position_inside(self) -> Position:
        """A position after the end of every earlier transaction and before the end of this one."""
        begun = self._begun if self._begun is not None else self.boundary.offset
        return self._file.at(begun + 1)

    def _is_before_start(self) -> bool:
        """Transactions that end at or before the start have their beginning before it."""
        if self._past_start or self._begun is None or self._file.at(0).file != self._after.file:
            return False
        self._past_start = self._begun >= self._after.offset  # positions only ascend
        return not self._past_start

    def _refused(self, reason: str) -> TableRefused:
        table = self._segment.events[-1].table.schema.name if self._segment.events else ""
        return TableRefused(table=str(table), column="", reason=reason)
