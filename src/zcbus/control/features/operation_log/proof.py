"""What the chain proves of the operation log, and where it breaks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, exists, func, select

from zcbus.control.features.operation_log.kept_head import holds, kept_head, write_head
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.audit_chain import Chain, Head, digest, head, stored_content
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_anchor, audit_link, audit_record

_READ_AT_ONCE = 1_000
_MAX_BREAKS = 100
# A record is from the begin of its call, its link may be from the call's end.
_RUNS_AT_MOST = timedelta(days=1)

Reason = Literal[
    "no-chain", "anchor-forged", "link-missing", "link-forged", "record-changed", "record-missing", "record-inserted",
    "end-missing", "result-forged",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Break:
    """One place where the log is not as it was written. `sequence` counts the chain's links."""

    reason: Reason
    sequence: int | None = None
    record_id: str | None = None
    at: datetime | None = None


@dataclass(slots=True)
class Proof:
    """The chain's extent, and its first 100 breaks: none means that every record is as it was written."""

    breaks: list[Break] = field(default_factory=list)
    links: int = 0
    records: int = 0
    # Times of the first and of the last link that is there.
    since: datetime | None = None
    until: datetime | None = None
    # When the chain began, and how many records it took over then: those are proved unchanged since then only.
    began_at: datetime | None = None
    earlier_records: int = 0
    # Links that retention removed, and when last.
    removed: int = 0
    removed_at: datetime | None = None
    # The last link that this host keeps outside of the database: up to there nothing was cut off. None: none is kept.
    kept_sequence: int | None = None
    # The last link that was read.
    end_sequence: int = 0
    end_seal: str = ""


def verify(services: Services, behind: Head | None = None) -> Proof:
    """Check the chain against the records and the key file, from one snapshot of the store. `behind`: an end that was
    proved before; only what follows is read then, unless the chain lacks it. Earlier records that were changed since
    are not found that way."""
    proof, chain = Proof(), Chain.of(services.secrets)
    with services.database.read_snapshot() as store:
        end = _start(store, chain, proof)
        since = None
        if behind is not None and behind.sequence > end.sequence:
            since = _time_of(store, behind)
            if since is None:
                proof.breaks.append(Break("end-missing", behind.sequence))
            else:
                end = behind
        for portion in _portions(store, end.sequence):
            end = _follow(store, chain, proof, end, portion)
        proof.records = store.execute(select(func.count()).select_from(audit_record)).scalar_one()
        proof.breaks += _inserted(store, since)
        proof.breaks += _cut_off(store, services, proof)
    proof.end_sequence, proof.end_seal = end
    del proof.breaks[_MAX_BREAKS:]
    return proof


def accept(services: Services) -> None:
    """Have this host take the chain's present end for its last one, after the store was restored from a backup. The
    operation log keeps both ends."""
    with services.database.write() as store:
        kept, found = kept_head(services), head(store)
        where = Circumstances("operation-log_accept", "zcbus audit accept", "", "")
        note = AuditNote(before=_shown(kept), after=_shown(found))
        audit.record(store, services, local_principal(), where, note)
        end = head(store)
    if end is not None:
        write_head(services, end)


def _time_of(store: Connection, end: Head) -> datetime | None:
    """When a link was made; None: the chain has another one, or none, at its place."""
    same = (audit_link.c.sequence == end.sequence) & (audit_link.c.seal == end.seal)
    found: datetime | None = store.execute(select(audit_link.c.linked_at).where(same)).scalar()
    return found


def _start(store: Connection, chain: Chain, proof: Proof) -> Head:
    anchor = store.execute(select(audit_anchor)).first()
    if anchor is None:
        proof.breaks.append(Break("no-chain"))
        first = store.execute(select(func.min(audit_link.c.sequence))).scalar()
        return Head((first or 1) - 1, "")
    if chain.anchor_seal(dict(anchor._mapping)) != anchor.seal:
        proof.breaks.append(Break("anchor-forged", anchor.sequence))
    proof.began_at, proof.earlier_records = anchor.began_at, anchor.earlier_records
    if anchor.sequence:
        proof.removed, proof.removed_at = anchor.sequence, anchor.moved_at
    return Head(anchor.sequence, anchor.link_seal)


def _portions(store: Connection, after: int) -> Iterator[Sequence[Row[Any]]]:
    while True:
        links = select(audit_link).where(audit_link.c.sequence > after)
        portion = store.execute(links.order_by(audit_link.c.sequence).limit(_READ_AT_ONCE)).all()
        if not portion:
            return
        yield portion
        after = portion[-1].sequence


def _follow(store: Connection, chain: Chain, proof: Proof, end: Head, links: Sequence[Row[Any]]) -> Head:
    ids = {link.record_id for link in links}
    found = store.execute(stored_content().where(audit_record.c.id.in_(ids)))
    digests = {record.id: digest(record._asdict()) for record in found}
    last: dict[str, int] = {
        row.record_id: row.last
        for row in store.execute(
            select(audit_link.c.record_id, func.max(audit_link.c.sequence).label("last"))
            .where(audit_link.c.record_id.in_(ids))
            .group_by(audit_link.c.record_id)
        )
    }
    for link in links:
        proof.links += 1
        proof.since, proof.until = proof.since or link.linked_at, link.linked_at
        # The state that a later link of the record replaced is no longer there to be checked.
        is_last = last[link.record_id] == link.sequence
        reason = _reason(chain, end, link) or (_record_reason(digests, link) if is_last else None)
        if reason is not None and len(proof.breaks) < _MAX_BREAKS:
            proof.breaks.append(Break(reason, link.sequence, link.record_id, link.linked_at))
        end = Head(link.sequence, link.seal)
    return end


def _reason(chain: Chain, end: Head, link: Row[Any]) -> Reason | None:
    if link.sequence != end.sequence + 1:
        return "link-missing"
    seal = chain.link_seal(link.sequence, link.record_id, link.linked_at, link.digest, end.seal)
    return None if seal == link.seal else "link-forged"


def _record_reason(digests: dict[str, str], link: Row[Any]) -> Reason | None:
    found = digests.get(link.record_id)
    if found is None:
        return "record-missing"
    return None if found == link.digest else "record-changed"


def _inserted(store: Connection, since: datetime | None) -> list[Break]:
    linked = exists().where(audit_link.c.record_id == audit_record.c.id)
    rows = select(audit_record.c.id, audit_record.c.recorded_at).where(~linked).order_by(audit_record.c.recorded_at)
    if since is not None:
        rows = rows.where(audit_record.c.recorded_at >= since - _RUNS_AT_MOST)
    return [Break("record-inserted", None, row.id, row.recorded_at) for row in store.execute(rows.limit(_MAX_BREAKS))]


def _cut_off(store: Connection, services: Services, proof: Proof) -> list[Break]:
    kept = kept_head(services)
    if kept is None:
        return []
    proof.kept_sequence = kept.sequence
    return [] if holds(store, kept) else [Break("end-missing", kept.sequence)]


def _shown(end: Head | None) -> dict[str, Any] | None:
    return end._asdict() if end else None
