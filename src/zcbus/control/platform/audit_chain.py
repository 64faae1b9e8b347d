"""The chain that seals the operation log: each link holds a record's digest, keyed with the link before it.

The key follows from the key file, so a link cannot be made with the database alone. Links are written in the
transaction of their record. `Database.write` lets one transaction write at a time over all replicas, so the last link
stays the last one until the writer's transaction ends.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Row, Select, Text, select, type_coerce

from zcbus.control.platform.secrets import Lasting, SecretBox
from zcbus.control.store.columns import JsonDocument
from zcbus.control.store.tables.audit import audit_anchor, audit_link, audit_proof, audit_record
from zcbus.kit.ids import new_id

_LINKED_AT_ONCE = 1_000
# JSON documents are compared as the text that is stored: reading them would hide a change of their spelling.
_DOCUMENTS = ("before", "after")
_DOCUMENT = JsonDocument()
_NAMES = tuple(column.name for column in audit_record.c)
_CONTENT = [
    type_coerce(column, Text).label(column.name) if column.name in _DOCUMENTS else column for column in audit_record.c
]
# Every call that changes something runs these.
_LAST = select(audit_link.c.sequence, audit_link.c.seal).order_by(audit_link.c.sequence.desc()).limit(1)
_INSERT = audit_link.insert()


class Head(NamedTuple):
    """The end of a chain, or of a part of it."""

    sequence: int
    seal: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Seals of the installation's chain."""

    key: bytes

    @classmethod
    def of(cls, secrets: SecretBox) -> "Chain":
        """The chain keyed by the oldest key of the key file."""
        return cls(secrets.derive_lasting(Lasting.AUDIT_CHAIN))

    def link_seal(self, sequence: int, record_id: str, linked_at: datetime, digest: str, previous: str) -> str:
        """Seal of a link behind the one sealed `previous`."""
        return self._seal("link", sequence, record_id, _moment(linked_at), digest, previous)

    def anchor_seal(self, anchor: dict[str, Any]) -> str:
        """Seal of an anchor's row."""
        moments = {name: _moment(anchor[name]) for name in ("began_at", "moved_at")}
        values = {**anchor, **moments}
        return self._seal("anchor", *(values[column.name] for column in audit_anchor.c if column.name != "seal"))

    def proof_seal(self, proof: Mapping[str, Any]) -> str:
        """Seal of a row of results."""
        moments = {name: _moment(proof[name]) for name in ("checked_at", "whole_at")}
        values = {**proof, **moments}
        return self._seal("proof", *(values[column.name] for column in audit_proof.c if column.name != "seal"))

    def first_seal(self, chain_id: str) -> str:
        """What the first link of a chain follows."""
        return self._seal("begin", chain_id)

    def _seal(self, *content: str | int) -> str:
        return hmac.new(self.key, orjson.dumps(content), sha256).hexdigest()


def stored_content() -> Select[Any]:
    """Records as `digest` takes them."""
    return select(*_CONTENT)


def digest(content: Mapping[str, Any]) -> str:
    """SHA-256 over every column of a record that `stored_content` read."""
    values = {**content, "recorded_at": _moment(content["recorded_at"])}
    return sha256(orjson.dumps([values.get(name) for name in _NAMES])).hexdigest()


def append(connection: Connection, secrets: SecretBox, record: Mapping[str, Any], now: datetime) -> None:
    """Link a record that the caller inserted in this transaction, so that it holds the lock of writers."""
    documents = {name: _DOCUMENT.process_bind_param(record[name], connection.dialect) for name in _DOCUMENTS}
    _append(connection, secrets, {**record, **documents}, now)


def append_changed(connection: Connection, secrets: SecretBox, record_id: str, now: datetime) -> None:
    """As `append`, for a record that the caller changed: links it as it is stored now."""
    record = connection.execute(stored_content().where(audit_record.c.id == record_id)).one_or_none()
    if record is not None:  # else retention removed it while its call ran
        _append(connection, secrets, record._asdict(), now)


def _append(connection: Connection, secrets: SecretBox, content: Mapping[str, Any], now: datetime) -> None:
    chain = Chain.of(secrets)
    end = head(connection) or _begin(connection, chain, now, without=content["id"])
    connection.execute(_INSERT, _link(chain, end, content, now))


def begin(connection: Connection, secrets: SecretBox, now: datetime) -> None:
    """Begin the chain unless there is one, with the records that are there: they are proved unchanged from now on. In a
    transaction of `write_alone`."""
    if head(connection) is None:
        _begin(connection, Chain.of(secrets), now)


def head(connection: Connection) -> Head | None:
    """The last link, or the anchor of a chain whose links retention removed; None without a chain."""
    found = connection.execute(_LAST).one_or_none()
    if found is None:
        found = connection.execute(select(audit_anchor.c.sequence, audit_anchor.c.link_seal)).first()
    return Head(*found) if found else None


def move_anchor(connection: Connection, chain: Chain, anchor: Row[Any], end: Head, now: datetime) -> None:
    """Have the chain begin behind `end`, whose links the caller removes in this transaction."""
    moved = {**anchor._mapping, "sequence": end.sequence, "link_seal": end.seal, "moved_at": now}
    connection.execute(audit_anchor.update().values(**{**moved, "seal": chain.anchor_seal(moved)}))


def _begin(connection: Connection, chain: Chain, now: datetime, without: str = "") -> Head:
    chain_id = new_id()
    end = Head(0, chain.first_seal(chain_id))
    anchor = {
        "chain_id": chain_id,
        "began_at": now,
        "earlier_records": 0,
        "sequence": 0,
        "link_seal": end.seal,
        "moved_at": now,
    }
    earlier = stored_content().where(audit_record.c.id != without)
    rows = connection.execute(
        earlier.order_by(audit_record.c.recorded_at, audit_record.c.id),
        execution_options={"yield_per": _LINKED_AT_ONCE},
    )
    for portion in rows.partitions():
        end = _link_earlier(connection, chain, end, portion)
    anchor["earlier_records"] = end.sequence
    connection.execute(audit_anchor.insert().values(**anchor, seal=chain.anchor_seal(anchor)))
    return end


def _link_earlier(connection: Connection, chain: Chain, end: Head, records: Sequence[Row[Any]]) -> Head:
    links = []
    for record in records:
        links.append(_link(chain, end, record._asdict(), record.recorded_at))
        end = Head(end.sequence + 1, links[-1]["seal"])
    connection.execute(audit_link.insert(), links)
    return end


def _link(chain: Chain, end: Head, content: Mapping[str, Any], linked_at: datetime) -> dict[str, Any]:
    sequence, record_id, found = end.sequence + 1, content["id"], digest(content)
    return {
        "sequence": sequence,
        "record_id": record_id,
        "linked_at": linked_at,
        "digest": found,
        "seal": chain.link_seal(sequence, record_id, linked_at, found, end.seal),
    }


def _moment(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds")
