"""State of a database, in a collection of its own (`zcbus_state`).

| `_id`      | content                                                                                             |
|------------|-----------------------------------------------------------------------------------------------------|
| `head`     | number of the last transaction, its parts or their ids, all checkpoints and holds                   |
| `done`     | number of the last transaction that is carried out; until when sessions are careful                 |
| `part-…`   | documents that the last transaction changes; see parts.Part                                         |
| `gone-…`   | ids of documents that stand for deleted ones                                                        |
| `error-…`  | a row error                                                                                         |
| `table-…`  | the structure of a table; see catalog                                                               |

A transaction is committed by replacing `head` where it still has the number that was read. Parts are written before;
those of a transaction that was never committed are deleted when they are a day old.

Each part has a number, the last one its transaction's, which its documents keep. Numbers grow, and are not behind the
clock in microseconds. What a leftover process sends late has a smaller one than the document that is there, and has no
effect. Only where the document was deleted it would come back: so where a session carries out what another one has
decided, which may still be at it, sessions are *careful* for ten minutes. Then deleted documents are replaced by one
that says that it is gone, until the time is over.
"""

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from bson import Binary, Int64
from pymongo.errors import DuplicateKeyError

from zcbus.connectors.mongodb.connection import Document, MongoDBConnection
from zcbus.connectors.mongodb.names import GONE
from zcbus.connectors.mongodb.parts import Part, part
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.connectors.writing.decided_parts import ORPHAN_SECONDS, next_number, note_parts
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_text
from zcbus.kit.clock import now_ms
from zcbus.model.row_errors import RowError

_CAREFUL_MS = 600_000


class StateCollection:
    """As one session sees it; see StateStore."""

    def __init__(self, connection: MongoDBConnection) -> None:
        self._connection = connection
        self._id = ""
        self._number = 0
        """Of the head that was read or written last."""
        self._own: dict[str, Part] = {}
        """Parts of the last transaction of this session, so that they need not be read."""
        self._careful = 0
        """Until when sessions are careful, in milliseconds since 1970; 0: there is no document of those."""
        self.parts: list[Part | str] = []
        """Of the transaction that was read or written last; larger ones by their ids."""
        self.done = 0
        """Number of the last transaction that was found carried out."""
        self.is_written = False
        """Whether the last head was written by this session, not read."""

    @property
    def id(self) -> str:
        """Unique id of this store."""
        if not self._id:
            self.read()
        return self._id

    @property
    def is_careful(self) -> bool:
        """Whether documents are not deleted but replaced."""
        return self._careful > now_ms()

    def prepare(self) -> None:
        first = {"id": uuid.uuid4().hex, "number": Int64(next_number(0)), "last": 0, "parts": [], "checkpoints": []}
        for document in ({"_id": "head", **first, "holds": []}, {"_id": "done", "number": 0, "careful": 0}):
            with self._connection.translated():
                try:
                    self._connection.own.insert_one(document)
                except DuplicateKeyError:
                    """Another session made it."""
        self._tidy()

    def read(self) -> State:
        found = self._read("head", "done")
        if len(found) < 2:
            self.prepare()
            found = self._read("head", "done")
        head = found["head"]
        self._noted(found["done"])
        if head["number"] != self._number:
            self._own = {}
        self._id, self._number, self.is_written = head["id"], head["number"], False
        self.parts = [one if isinstance(one, str) else Part(one["table"], bytes(one["data"])) for one in head["parts"]]
        checkpoints = [Checkpoint(**one) for one in head["checkpoints"]]
        return State(
            {(one.subscription, one.name): one for one in checkpoints},
            {one["subscription"]: Hold(one["token"], one["until"]) for one in head["holds"]},
            head["last"] - len(self.parts) + 1,
            head["last"],
            head["number"],
        )

    def row_errors(self, subscription: str) -> list[RowError]:
        wanted = {"kind": "row-error", "subscription": subscription, GONE: None}
        pages = self._connection.pages(self._connection.own, wanted)
        return [row_error_from_json(one["data"].encode()) for page in pages for one in page]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        noted, own = list[Part | str](), dict[str, Part]()
        try:
            note_parts(_all_parts(parts, errors or ()), lambda one: len(one.data), self._put, noted, own)
        except BaseException:
            self._drop(noted)
            raise
        number = next_number(self._number, len(noted))
        after = replace(state, first=state.last + 1, last=state.last + len(noted), number=number)
        head = {
            "_id": "head",
            "id": self._id,
            "number": Int64(number),
            "last": Int64(after.last),
            "parts": [one if isinstance(one, str) else {"table": one.table, "data": Binary(one.data)} for one in noted],
            "checkpoints": [asdict(one) for one in state.checkpoints.values()],
            "holds": [{"subscription": name, **asdict(one)} for name, one in state.holds.items()],
        }
        with self._connection.translated():
            written = self._connection.own.replace_one({"_id": "head", "number": Int64(self._number)}, head)
        if not written.matched_count:
            self._drop(noted)
            raise ConcurrentCommit(f"another commit follows {self._number}")
        self._number, self.parts, self._own, self.is_written = number, noted, own, True
        return after

    def part(self, noted: Part | str) -> Part | None:
        """A part of `parts`. None: the transaction is carried out."""
        if isinstance(noted, Part):
            return noted
        if noted in self._own:
            return self._own[noted]
        found = self._read(noted).get(noted)
        return Part(found["table"], bytes(found["data"])) if found else None

    def take_over(self) -> None:
        """From now on sessions are careful. What is `done` is read again behind that."""
        if self._careful < now_ms() + _CAREFUL_MS // 2:
            until = {"careful": Int64(now_ms() + _CAREFUL_MS)}
            with self._connection.translated():
                self._connection.own.update_one({"_id": "done"}, {"$max": until})
        self._noted(self._read("done")["done"])

    def note_gone(self, found: Part) -> None:
        """Documents that are about to be replaced for those that a part deletes, so that they are found later."""
        ids = [one for one, document in found.changes() if document is None]
        if ids:
            note = {"_id": f"gone-{uuid.uuid4().hex}", "kind": "gone", "table": found.table, "ids": ids}
            with self._connection.translated():
                self._connection.own.insert_one(note)

    def finished(self, number: int) -> bool:
        """The transaction is carried out, and its parts are needed no more. False: sessions have to be careful, and
        were not when it was carried out."""
        wanted = {"_id": "done", "number": {"$lt": Int64(number)}, "careful": Int64(self._careful)}
        with self._connection.translated():
            written = self._connection.own.update_one(wanted, {"$set": {"number": Int64(number)}})
        if written.matched_count:
            self.done = max(self.done, number)
        else:
            self._noted(self._read("done")["done"])
        if self.done < number:
            return False
        self._own = {}
        self._drop(self.parts)
        self.sweep()
        return True

    def sweep(self) -> None:
        """Delete what stands for deleted documents, once no session has to be careful."""
        if not self._careful or self.is_careful:
            return
        for page in self._connection.pages(self._connection.own, {"kind": "gone"}, rows=1):
            for one in page:
                collection = self._connection.collection(one["table"]) if one["table"] else self._connection.own
                with self._connection.translated():
                    collection.delete_many({"_id": {"$in": one["ids"]}, GONE: True})
                    self._connection.own.delete_one({"_id": one["_id"]})
        with self._connection.translated():
            wanted = {"_id": "done", "careful": Int64(self._careful)}
            self._connection.own.update_one(wanted, {"$set": {"careful": Int64(0)}})
        self._careful = 0

    def _read(self, *names: str) -> dict[str, Document]:
        pages = self._connection.pages(self._connection.own, {"_id": {"$in": list(names)}})
        return {one["_id"]: one for page in pages for one in page}

    def _noted(self, done: Document) -> None:
        self.done, self._careful = max(self.done, done["number"]), done["careful"]

    def _put(self, name: str, one: Part) -> None:
        document = {"_id": name, "kind": "part", "made": Int64(time.time()), "table": one.table}
        with self._connection.translated():
            self._connection.own.insert_one({**document, "data": Binary(one.data)})

    def _drop(self, noted: Sequence[Part | str]) -> None:
        names = [one for one in noted if isinstance(one, str)]
        if names:
            with self._connection.translated():
                self._connection.own.delete_many({"_id": {"$in": names}})

    def _tidy(self) -> None:
        """Delete parts that no transaction will have."""
        old = {"kind": "part", "made": {"$lt": Int64(time.time() - ORPHAN_SECONDS)}}
        found = [one["_id"] for page in self._connection.pages(self._connection.own, old, {"_id": 1}) for one in page]
        if found:
            self.read()
            self._drop([one for one in found if one not in self.parts])


def _all_parts(parts: Iterable[Part], errors: Sequence[RowErrorChange]) -> Iterator[Part]:
    """The parts, and one with what becomes of row errors."""
    yield from parts
    found: dict[bytes, tuple[Any, Document | None]] = {}
    for one in errors:
        name = f"error-{one.subscription}-{one.id}"
        found[name.encode()] = name, None if one.error is None else _error(one.subscription, one.error)
    if found:
        yield part("", found)


def _error(subscription: str, error: RowError) -> Document:
    return {"kind": "row-error", "subscription": subscription, "data": row_error_text(error)}
