"""State of a prefix, in an index of its own (`PREFIX` and `zcbus=state`).

| id            | content                                                                                       |
|---------------|-----------------------------------------------------------------------------------------------|
| `head`        | number of the last transaction, its parts or their ids, all checkpoints and holds             |
| `done`        | number of the last transaction that is carried out                                            |
| `part-…`      | documents that the last transaction changes; see documents.Part                               |
| `error-…`     | a row error                                                                                   |

A transaction is committed by writing `head`, which the server refuses where it has changed since it was read. Parts
are written before; those of a transaction that was never committed are deleted when they are a day old.

Each part has a number, the last one its transaction's: the version of its documents. Numbers grow, and are not behind
the clock in microseconds, so that versions are greater than those which changes by others gave documents, one by one.
"""

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import orjson

from zcbus.connectors.opensearch.connection import OpenSearchConnection, Refusal, path
from zcbus.connectors.opensearch.documents import Part, bulk, part
from zcbus.connectors.opensearch.indexes import SETTINGS, scroll
from zcbus.connectors.opensearch.names import own_index
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.connectors.writing.decided_parts import ORPHAN_SECONDS, next_number, note_parts
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_text
from zcbus.model.row_errors import RowError

_DEFINITION = {
    "settings": {**SETTINGS, "index.number_of_shards": 1},
    "mappings": {
        "dynamic": False,
        "properties": {
            "kind": {"type": "keyword"},
            "subscription": {"type": "keyword", "ignore_above": 8191},
            "made": {"type": "long"},
        },
    },
}
_AT_ONCE = 100


class StateIndex:
    """As one session sees it; see StateStore."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._connection, self._index = connection, own_index(connection.options.prefix)
        self._place = {"if_seq_no": "", "if_primary_term": ""}
        """Which `head` was read last."""
        self._id = ""
        self._own: dict[str, Part] = {}
        """Parts of the last transaction of this session, so that they need not be read."""
        self.parts: list[Part | str] = []
        """Of the transaction that was read or written last; larger ones by their ids."""
        self.done = 0
        """Number of the last transaction that was found carried out."""

    @property
    def id(self) -> str:
        """Unique id of this store."""
        if not self._id:
            self.read()
        return self._id

    def prepare(self) -> None:
        try:
            self._connection.try_("PUT", path(self._index), _DEFINITION)
        except Refusal as refusal:
            if refusal.code != "resource_already_exists_exception":
                raise self._connection.failed(refusal) from refusal
        head = {"id": uuid.uuid4().hex, "number": next_number(0), "last": 0, "parts": []}
        try:
            self._connection.try_("PUT", path(self._index, "_create", "head"), {**head, "checkpoints": [], "holds": {}})
        except Refusal as refusal:
            if refusal.status != 409:
                raise self._connection.failed(refusal) from refusal
        self._tidy()

    def read(self) -> State:
        documents = self._connection.documents(self._index, ["head", "done"])
        if "head" not in documents:
            self.prepare()
            documents = self._connection.documents(self._index, ["head", "done"])
        found = documents["head"]["_source"]
        self._place = {
            "if_seq_no": str(documents["head"]["_seq_no"]),
            "if_primary_term": str(documents["head"]["_primary_term"]),
        }
        self._id = found["id"]
        self.parts = [one if isinstance(one, str) else Part(*one) for one in found["parts"]]
        if "done" in documents:
            self.done = max(self.done, documents["done"]["_source"]["number"])
        checkpoints = [Checkpoint(*one) for one in found["checkpoints"]]
        last, count = found["last"], len(self.parts)
        return State(
            {(one.subscription, one.name): one for one in checkpoints},
            {name: Hold(*one) for name, one in found["holds"].items()},
            last - count + 1,
            last,
            found["number"],
        )

    def row_errors(self, subscription: str) -> list[RowError]:
        query = {"bool": {"filter": [{"term": {"kind": "row-error"}}, {"term": {"subscription": subscription}}]}}
        found = (hit for hits in scroll(self._connection, self._index, {"query": query}, _AT_ONCE) for hit in hits)
        return [row_error_from_json(hit["_source"]["data"].encode()) for hit in found]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        self._own = {}
        noted: list[Part | str] = []
        note_parts(_all_parts(parts, errors or ()), lambda one: len(one.body), self._put, noted, self._own)
        number = next_number(state.number, len(noted))
        after = replace(state, first=state.last + 1, last=state.last + len(noted), number=number)
        head = {
            "id": self._id,
            "number": after.number,
            "last": after.last,
            "parts": [one if isinstance(one, str) else [one.table, one.body] for one in noted],
            "checkpoints": [[c.subscription, c.name, c.version, c.data] for c in state.checkpoints.values()],
            "holds": {name: [one.token, one.until] for name, one in state.holds.items()},
        }
        try:
            written = self._connection.try_("PUT", path(self._index, "_doc", "head"), head, **self._place)
        except Refusal as refusal:
            if refusal.status == 409:
                self._bulk(_removals(noted))
                raise ConcurrentCommit(str(refusal)) from refusal
            raise self._connection.failed(refusal) from refusal
        self._place = {name: str(written[name.replace("if", "", 1)]) for name in self._place}
        self.parts = noted
        return after

    def part(self, noted: Part | str) -> Part | None:
        """A part of `parts`. None: the transaction is carried out."""
        if isinstance(noted, Part):
            return noted
        name, own = noted, self._own.get(noted)
        if own is not None:
            return own
        found = self._connection.documents(self._index, [name]).get(name)
        return Part(found["_source"]["table"], found["_source"]["body"]) if found else None

    def carry_out(self, index: str, found: Part, number: int) -> None:
        """Change the documents of a part. What has a greater number stays as it is."""
        try:
            answer = self._connection.try_("POST", path(index or self._index, "_bulk"), bulk(found, number))
        except Refusal as refusal:
            raise self._connection.failed(refusal) from refusal
        for action, result in (one for item in answer["items"] for one in item.items()):
            status = result["status"]
            # A newer document stays, and one that is gone is gone.
            if status // 100 == 2 or status == 409 or (status == 404 and action == "delete"):
                continue
            error = self._connection.refused(status, result)
            raise self._connection.failed(error) if isinstance(error, Refusal) else error

    def finished(self, number: int) -> None:
        """The transaction is carried out, and its parts are needed no more."""
        version = {"version": str(number), "version_type": "external_gte"}
        try:
            self._connection.try_("PUT", path(self._index, "_doc", "done"), {"number": number}, **version)
        except Refusal as refusal:
            if refusal.status != 409:  # else another session is ahead
                raise self._connection.failed(refusal) from refusal
        self.done = max(self.done, number)
        self._own = {}
        self._bulk(_removals(self.parts))

    def _put(self, name: str, one: Part) -> None:
        document = {"kind": "part", "made": int(time.time()), "table": one.table, "body": one.body}
        self._connection.ask("PUT", path(self._index, "_doc", name), document)

    def _bulk(self, lines: Sequence[bytes]) -> None:
        if lines:
            self._connection.ask("POST", path(self._index, "_bulk"), b"\n".join((*lines, b"")))

    def _tidy(self) -> None:
        """Delete parts that no transaction will have."""
        query = {
            "bool": {
                "filter": [{"term": {"kind": "part"}}, {"range": {"made": {"lt": int(time.time()) - ORPHAN_SECONDS}}}]
            }
        }
        found = [
            hit["_id"]
            for hits in scroll(self._connection, self._index, {"query": query, "_source": False}, _AT_ONCE)
            for hit in hits
        ]
        if found:
            self.read()
            self._bulk(_removals([one for one in found if one not in self.parts]))


def _removals(parts: Sequence[Part | str]) -> list[bytes]:
    return [orjson.dumps({"delete": {"_id": one}}) for one in parts if isinstance(one, str)]


def _all_parts(parts: Iterable[Part], errors: Sequence[RowErrorChange]) -> Iterator[Part]:
    """The parts, and one with what becomes of row errors."""
    yield from parts
    found = {
        orjson.dumps(f"error-{one.subscription}-{one.id}"): b"null"
        if one.error is None
        else orjson.dumps(_error(one.subscription, one.error))
        for one in errors
    }
    if found:
        yield part("", found)


def _error(subscription: str, error: RowError) -> dict[str, str]:
    return {"kind": "row-error", "subscription": subscription, "data": row_error_text(error)}
