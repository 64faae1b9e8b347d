"""Carrying a part out: documents are inserted, replaced and deleted so that newer ones stay.

Servers that speak the protocol differ in what they do behind the first failed write of a request, and in what they
report of it. So only the count of written documents is relied on; where it is short, what is there is read again.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import bson

from zcbus.connectors.mongodb.connection import CODEC, Document, MongoDBConnection, Refusal
from zcbus.connectors.mongodb.names import GONE, VERSION
from zcbus.connectors.mongodb.spec import ID

_DUPLICATE = 11000
_ATTEMPTS = 5
"""Until a document that is neither there nor can be inserted is taken for one that an index of others refuses."""
_AT_ONCE = {"bson": 1000, "common": 50}
"""Documents that a request replaces. FerretDB 1 keeps a connection to its store for each of a request, and stands still
where it has none left, with a hundred."""
Change = tuple[Any, Document | None]


class Carrier:
    """Changes one collection. Over a connection that belongs to others."""

    def __init__(self, connection: MongoDBConnection, collection: str) -> None:
        self._connection, self._collection = connection, collection
        self._at_once = _AT_ONCE[connection.options.values]

    def carry_out(self, changes: Sequence[Change], number: int, *, careful: bool) -> None:
        """Write documents with this number, and delete those that have none. What has a greater number stays as it is.
        `careful`: deleted ones are replaced; see state."""
        written = [(one, {**document, VERSION: number}) for one, document in changes if document is not None]
        gone = [one for one, document in changes if document is None]
        if careful:
            written += [(one, {VERSION: number, GONE: True}) for one in gone]
        elif gone:
            self._sent("delete", deletes=[{"q": {ID: {"$in": gone}, **_older(number)}, "limit": 0}])
        if written:
            self._write(written, number)

    def _write(self, left: list[tuple[Any, Document]], number: int) -> None:
        reason = ""
        for _ in range(_ATTEMPTS):
            there = self._numbers([one for one, _ in left])
            left = [change for change in left if there.get(place_of(change[0]), -1) < number]
            if not left:
                return
            new = [{ID: one, **document} for one, document in left if place_of(one) not in there]
            old = [
                {"q": {ID: one, **_older(number)}, "u": {ID: one, **document}}
                for one, document in left
                if place_of(one) in there
            ]
            counts = [self._sent("insert", documents=new)] if new else []
            counts += [
                self._sent("update", updates=old[begin : begin + self._at_once])
                for begin in range(0, len(old), self._at_once)
            ]
            if sum(count for count, _ in counts) == len(left):
                return
            reason = next((text for _, text in counts if text), reason)
        raise self._connection.failed(Refusal(_DUPLICATE, reason))

    def _numbers(self, ids: Sequence[Any]) -> dict[Hashable, int]:
        """Of the documents that are there; 0 for one of others."""
        collection = self._connection.database[self._collection]
        pages = self._connection.pages(collection, {ID: {"$in": list(ids)}}, {VERSION: 1})
        found = ((one[ID], one.get(VERSION)) for page in pages for one in page)
        return {place_of(one): number if isinstance(number, int) else 0 for one, number in found}

    def _sent(self, command: str, **arguments: Any) -> tuple[int, str]:
        """How many documents were inserted or matched, and why one was not. Raises what else went wrong."""
        with self._connection.translated():
            answer: Mapping[str, Any] = self._connection.database.command(
                command,
                self._collection,
                codec_options=CODEC,  # type: ignore[arg-type]  # the driver's own classes of documents are its only ones
                ordered=False,
                writeConcern={"w": "majority"},
                **arguments,
            )
        errors = [*answer.get("writeErrors", ())]
        for one in errors:
            if one.get("code") != _DUPLICATE:
                error = self._connection.refused(int(one.get("code") or 0), str(one.get("errmsg")))
                raise self._connection.failed(error) if isinstance(error, Refusal) else error
        if "writeConcernError" in answer:
            raise self._connection.unavailable(str(answer["writeConcernError"].get("errmsg")))
        return int(answer.get("n", 0)), str(errors[0].get("errmsg")) if errors else ""


def place_of(one: Any) -> Hashable:
    """An id as a key of a dictionary: equal where the server takes ids for equal."""
    if isinstance(one, int | float) and not isinstance(one, bool) and one == one:
        return one
    return bytes(bson.encode({"": one}, codec_options=CODEC))


def _older(number: int) -> Document:
    return {VERSION: {"$not": {"$gte": number}}}
