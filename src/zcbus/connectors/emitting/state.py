"""State of a target, as records of a log: each says what changes. The newest names the one from which on all of them
must be read, which is complete by itself.

Besides checkpoints, holds, row errors and definitions it has what is being sent: by it an event that is sent again,
after a kill or an error, bears the id that it had. What a commit decides is not sent again, and is forgotten with it.
"""

import base64
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from zcbus.connectors.emitting.log import StateLog
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_to_json
from zcbus.model.row_errors import RowError
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_dict, schema_to_json

_SMALLEST_BYTES = 1 << 20
"""So many are read again before a complete record is written; more where that is larger itself."""
_MAX_SENT = 200_000
"""Events of a table's open transaction whose ids are remembered. Further ones get new ids when they are sent again."""

Named = tuple[bytes, bytes]
"""Hashes of a row's key, and of the event."""


@dataclass(frozen=True, slots=True)
class Sent:
    """An event that was about to be sent."""

    id: str
    digest: bytes
    time: str
    token: str
    """Of the session that sent it last."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a commit decides: events of a session, and of sessions that are gone, in some tables."""

    token: str
    tables: frozenset[str]
    alive: frozenset[str]
    """Tokens of open sessions, whose transactions are still undecided."""


@dataclass(slots=True)
class _Content:
    """All that the records say."""

    id: str = ""
    checkpoints: dict[tuple[str, str], Checkpoint] = field(default_factory=dict)
    holds: dict[str, Hold] = field(default_factory=dict)
    errors: dict[tuple[str, str], RowError] = field(default_factory=dict)
    tables: dict[str, TableSchema] = field(default_factory=dict)
    sent: dict[str, dict[bytes, Sent]] = field(default_factory=dict)
    """By table and hash of the key: the newest event."""


class EmittedState:
    """See StateStore: as one session sees it. Errors as StateLog's."""

    def __init__(self, log: StateLog) -> None:
        self._log = log
        self._now = _Content()
        self._next = 0
        """Offset behind the last record that was read."""
        self._base = self._since = self._size = 0
        """Offset of the complete record, bytes behind it, and its own."""
        self.settled: Settled | None = None
        """What the next commit of a transaction decides."""

    @property
    def tables(self) -> dict[str, TableSchema]:
        """Definitions by name, as the state that was read last has them."""
        return self._now.tables

    def prepare(self) -> None:
        if not self.read().number:
            first = _record({"id": uuid.uuid4().hex[:12]})
            try:
                self._append({**first, "base": 0})
            except ConcurrentCommit:
                self.read()

    def read(self) -> State:
        newest = self._log.newest()
        behind = 0 if newest is None else newest.offset + 1
        if newest is None or behind < self._next:
            self._forget()
        if newest is not None and behind != self._next:
            base = orjson.loads(newest.data)["base"]
            begin = base if base >= self._next or not self._next else self._next
            for entry in self._log.read(begin):
                self._take(entry.offset, orjson.loads(entry.data), len(entry.data))
        return self._state()

    def write(self, state: State, parts: Iterable[None] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        if not state.number:
            self.prepare()
            raise ConcurrentCommit("the state was made")
        if state.number != self._next:
            raise ConcurrentCommit("the state was read again")
        now, settled = self._now, self.settled
        changed = [one for key, one in state.checkpoints.items() if now.checkpoints.get(key) != one]
        record = {
            "checkpoints": [_checkpoint(one) for one in changed],
            "gone": [list(key) for key in now.checkpoints.keys() - state.checkpoints.keys()],
            "holds": {name: [one.token, one.until] for name, one in state.holds.items()},
            "errors": [_error_change(one) for one in errors or ()],
        }
        if settled is not None:
            dead = {one.token for table in settled.tables for one in now.sent.get(table, {}).values()} - settled.alive
            record["settled"] = {"token": settled.token, "tables": sorted(settled.tables), "dead": sorted(dead)}
        self._commit(record)
        return self._state()

    def row_errors(self, subscription: str) -> list[RowError]:
        return [error for (of, _), error in self._now.errors.items() if of == subscription]

    def define(self, name: str, table: TableSchema | None) -> None:
        """Store a table's definition, or forget it. Raises ConcurrentCommit."""
        self._commit({"tables": {name: None if table is None else orjson.loads(schema_to_json(table))}})

    def announce(self, table: str, events: Sequence[Named], time: str, token: str) -> list[Sent]:
        """Note that these events are sent now. One that equals the newest of its key has that one's id and time, all
        others new ones. Raises ConcurrentCommit."""
        before = self._now.sent.get(table, {})
        newest = [(before.get(key), digest) for key, digest in events]
        same = [one if one is not None and one.digest == digest else None for one, digest in newest]
        entries = [
            [_text(key), _text(digest), *((one.id, one.time) if one is not None else ())]
            for (key, digest), one in zip(events, same, strict=True)
        ]
        first = self._next
        self._commit({"sent": {"table": table, "time": time, "token": token, "events": entries}})
        return [one or Sent(self._id(first, n), events[n][1], time, token) for n, one in enumerate(same)]

    def forget_sent(self, table: str) -> None:
        """No event of a table is sent again with the id that it had. Raises ConcurrentCommit."""
        if self._now.sent.get(table):
            self._commit({"unsent": table})

    def _id(self, offset: int, number: int) -> str:
        return f"{self._now.id}-{offset}-{number}"

    def _state(self) -> State:
        return State(dict(self._now.checkpoints), dict(self._now.holds), number=self._next)

    def _commit(self, record: dict[str, Any]) -> None:
        if self._since <= max(_SMALLEST_BYTES, 2 * self._size):
            self._append({**record, "base": self._base})
            return
        offset = self._next
        try:
            self._apply(offset, record)
            self._append({**_complete(self._now), "base": offset})
        except BaseException:
            self._forget()  # what was applied may not have been written
            raise

    def _append(self, record: dict[str, Any]) -> None:
        data = orjson.dumps(record)
        self._log.append(self._next, data, self._since + 2 * len(data) + self._size)
        self._take(self._next, record, len(data))

    def _take(self, offset: int, record: dict[str, Any], size: int) -> None:
        if record["base"] == offset:
            self._now, self._base, self._since, self._size = _Content(), offset, 0, size
        else:
            self._since += size
        self._apply(offset, record)
        self._next = offset + 1

    def _forget(self) -> None:
        self._now, self._next, self._base, self._since, self._size = _Content(), 0, 0, 0, 0

    def _apply(self, offset: int, record: dict[str, Any]) -> None:
        now = self._now
        now.id = record.get("id", now.id)
        for values in record.get("checkpoints", ()):
            one = Checkpoint(*values)
            now.checkpoints[one.subscription, one.name] = one
        for subscription, name in record.get("gone", ()):
            now.checkpoints.pop((subscription, name), None)
        if "holds" in record:
            now.holds = {name: Hold(*values) for name, values in record["holds"].items()}
        for subscription, identifier, error in record.get("errors", ()):
            now.errors.pop((subscription, identifier), None)
            if error is not None:
                now.errors[subscription, identifier] = row_error_from_json(error.encode())
        for name, table in record.get("tables", {}).items():
            now.tables.pop(name, None)
            if table is not None:
                now.tables[name] = schema_from_dict(table)
        now.sent.pop(record.get("unsent"), None)  # type: ignore[arg-type]
        self._settle(record.get("settled"))
        for table, events in record.get("all_sent", {}).items():
            now.sent[table] = {_bytes(key): Sent(one, _bytes(digest), *rest) for key, one, digest, *rest in events}
        if "sent" in record:
            self._note_sent(offset, **record["sent"])

    def _note_sent(self, offset: int, table: str, time: str, token: str, events: Sequence[Sequence[str]]) -> None:
        known = self._now.sent.setdefault(table, {})
        for number, (key, digest, *earlier) in enumerate(events):
            named, at = earlier or (self._id(offset, number), time)
            known.pop(_bytes(key), None)
            known[_bytes(key)] = Sent(named, _bytes(digest), at, token)
        for oldest in list(known)[: max(0, len(known) - _MAX_SENT)]:
            del known[oldest]

    def _settle(self, settled: dict[str, Any] | None) -> None:
        if settled is None:
            return
        gone = {settled["token"], *settled["dead"]}
        for table in settled["tables"]:
            known = self._now.sent.pop(table, {})
            if left := {key: one for key, one in known.items() if one.token not in gone}:
                self._now.sent[table] = left


def _record(content: dict[str, Any]) -> dict[str, Any]:
    return {"checkpoints": [], "holds": {}, **content}


def _complete(now: _Content) -> dict[str, Any]:
    return {
        "id": now.id,
        "checkpoints": [_checkpoint(one) for one in now.checkpoints.values()],
        "holds": {name: [one.token, one.until] for name, one in now.holds.items()},
        "errors": [[of, name, row_error_to_json(one).decode()] for (of, name), one in now.errors.items()],
        "tables": {name: orjson.loads(schema_to_json(one)) for name, one in now.tables.items()},
        "all_sent": {
            table: [[_text(key), one.id, _text(one.digest), one.time, one.token] for key, one in known.items()]
            for table, known in now.sent.items()
        },
    }


def _checkpoint(one: Checkpoint) -> list[object]:
    return [one.subscription, one.name, one.version, one.data]


def _error_change(change: RowErrorChange) -> list[object]:
    error = change.error
    return [change.subscription, change.id, None if error is None else row_error_to_json(error).decode()]


def _text(data: bytes) -> str:
    return base64.b85encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b85decode(text)
