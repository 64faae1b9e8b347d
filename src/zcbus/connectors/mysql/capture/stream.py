"""Changes of a MySQL or MariaDB server in commit order, from its binlog."""

import time
from collections.abc import Sequence

from zcbus.connectors.errors import LogPositionLost, TableRefused
from zcbus.connectors.mysql.binlog.charsets import Charsets
from zcbus.connectors.mysql.capture import position as positions
from zcbus.connectors.mysql.capture.client import BATCH_BYTES, BinlogClient, LogTorn
from zcbus.connectors.mysql.capture.decoder import BinlogDecoder
from zcbus.connectors.mysql.capture.gtids import GtidSet, MySQLGtids
from zcbus.connectors.mysql.capture.position import FIRST_EVENT, LogFile
from zcbus.connectors.mysql.capture.schema_history import SchemaTracker
from zcbus.connectors.mysql.capture.tables import CapturedTables
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.connectors.source_log import SourceLog
from zcbus.kit.clock import now_ms
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import HeartbeatFrame, RollbackFrame, Streamed
from zcbus.model.position import Position

_HEARTBEAT_SECONDS = 1.0
_VERIFY_SECONDS = 1.0
_CHARSET_OF = "SELECT character_set_name FROM information_schema.collations WHERE id = %s"
_MAX_OFFSET = 0xFFFFFFFF
"""The request for the log has 32 bits for the position."""


class MySQLChangeStream:
    """See ChangeStream. The server retains its log by its own settings; `acknowledge` changes nothing there."""

    def __init__(
        self,
        options: ConnectionOptions,
        log: SourceLog,
        tables: Sequence[CapturedTable],
        file: LogFile,
        after: Position,
        history: SchemaHistory,
        gtids: GtidSet | None = None,
        by_set: bool = False,
    ) -> None:
        """`gtids`: the GTID set up to `after`. `by_set`: the log is read after this set, not after the position in
        `file`."""
        self._options, self._log, self._after = options, log, after
        self._catalog: Session | None = None
        self._refused: TableRefused | None = None
        offset = max(after.offset, FIRST_EVENT)
        if offset > _MAX_OFFSET or by_set or _needs_file_start(gtids):
            offset = FIRST_EVENT  # the decoder skips what is before `after`
        try:
            self._schemas = SchemaTracker(self._catalog_session, tables, history, after, file.log)
            session = self._catalog_session()
            ignores_case = session.variable("lower_case_table_names") != "0"
            self._tables = CapturedTables(self._schemas, tables, session.version, ignores_case)
            charsets = Charsets(self._convert, self._charset_of)
            self._decoder = BinlogDecoder(self._tables, charsets, file, offset, after, gtids, by_set)
            self._client = BinlogClient(options, log, file, offset, gtids if by_set else None)
        except BaseException:
            self._close_catalog()
            raise
        self._changes_of = self._verified = time.monotonic()

    def read(self, timeout: float) -> Sequence[Streamed]:
        deadline = time.monotonic() + timeout
        while True:
            received = self._client.receive(deadline - time.monotonic())
            if received and (frames := self._advance()):
                self._changes_of = time.monotonic()
                return frames
            now = time.monotonic()
            if received and self._is_behind_start() and now - self._changes_of >= _HEARTBEAT_SECONDS:
                self._changes_of = now
                answered = self._answer_ms()
                return [HeartbeatFrame(self._decoder.boundary, now_ms(), answered, gtid_set=self._decoder.gtid_set)]
            if now >= deadline:
                return []

    def acknowledge(self, position: Position) -> None:
        self._schemas.acknowledge(position)

    def __enter__(self) -> "MySQLChangeStream":
        return self

    def __exit__(self, *details: object) -> None:
        self._client.close()
        self._close_catalog()

    def _advance(self) -> Sequence[Streamed]:
        """Decode every complete event, and make frames of every complete transaction.

        Changes before a refused one are returned before the refusal is raised.
        """
        if self._refused is not None:
            raise self._refused
        client, decoder = self._client, self._decoder
        try:
            for event, end in client.events():
                decoder.event(client.data, event, end)
        except TableRefused as error:
            self._refused = error
        except LogTorn as torn:
            return self._pass_over(str(torn))
        frames = decoder.frames(client.data, split=decoder.open_bytes >= BATCH_BYTES)
        if self._refused is not None and not frames:
            raise self._refused
        kept = decoder.first_event_offset
        decoder.moved(client.keep(client.at if kept is None else kept))
        self._verify()
        return frames

    def _pass_over(self, detail: str) -> Sequence[Streamed]:
        """Continue with the next file after a server crash. Raises LogPositionLost if there is none.

        A transaction that was not written completely is rolled back by the restarted server.
        """
        client, decoder = self._client, self._decoder
        following = decoder.file.following
        if not positions.exists(self._catalog_session(), following):
            requested = f"{decoder.file.name}:{decoder.boundary.offset}"
            raise LogPositionLost(kind=self._options.kind, wanted=requested, oldest="", gap="", detail=detail)
        frames: list[Streamed] = list(decoder.frames(client.data, split=False))
        if decoder.continue_with(following):
            frames.append(RollbackFrame())
        client.close()
        self._client = BinlogClient(self._options, self._log, following, FIRST_EVENT)
        return frames

    def _is_behind_start(self) -> bool:
        """Whether the reached position may be reported."""
        return not self._decoder.is_partial and self._decoder.boundary >= self._after

    def _verify(self) -> None:
        """Verify derived schemas between two transactions."""
        now = time.monotonic()
        if self._schemas.is_verified or not self._decoder.is_between or now - self._verified < _VERIFY_SECONDS:
            return
        self._verified = now
        self._tables.changed(self._schemas.verify(self._decoder.boundary))

    def _answer_ms(self) -> int | None:
        """Response time of the server on a second connection, because the log's own heartbeats carry no time; None: no
        response."""
        selection = time.monotonic()
        try:
            self._catalog_session().ping()
        except ZcbusError:
            self._close_catalog()
            return None
        return round((time.monotonic() - selection) * 1000)

    def _catalog_session(self) -> Session:
        if self._catalog is None:
            self._catalog = Session(self._options, "source")
        return self._catalog

    def _convert(self, value: bytes, charset: str) -> str:
        """By the server, whose tables differ from other implementations."""
        sql = f"SELECT CONVERT(CONVERT(X'{value.hex()}' USING {charset}) USING utf8mb4)"
        return str(self._catalog_session().rows(sql)[0][0])

    def _charset_of(self, collation: int) -> str:
        rows = self._catalog_session().rows(_CHARSET_OF, [collation])
        return str(rows[0][0]) if rows else ""

    def _close_catalog(self) -> None:
        if self._catalog is not None:
            self._catalog.close()
            self._catalog = None


def _needs_file_start(gtids: GtidSet | None) -> bool:
    """Whether the set must be read first: MySQL writes it at the start of each file only."""
    return isinstance(gtids, MySQLGtids) and not str(gtids)
