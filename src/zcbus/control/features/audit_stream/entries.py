"""Links of the chain with their records, as receivers get them: in the order of the chain, each at least once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.store.tables.audit import audit_anchor, audit_link, audit_record


@dataclass(frozen=True, slots=True)
class Entry:
    """One time a record was written. `document` has the link, and the record in its present state: a call's begin and
    its end are two entries with the same record."""

    sequence: int
    at: datetime
    action: str
    has_failed: bool
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Portion:
    """Entries behind a position, and how many before them retention removed unsent."""

    lost: int
    entries: Sequence[Entry]


def read_behind(store: Connection, sequence: int, at_once: int) -> Portion:
    """The next entries behind a position, at most `at_once`."""
    cut = store.execute(select(audit_anchor.c.sequence)).scalar() or 0
    lost = max(cut - sequence, 0)
    links = (
        select(audit_link, *(column.label(f"record_{column.name}") for column in audit_record.c if column.name != "id"))
        .outerjoin(audit_record, audit_record.c.id == audit_link.c.record_id)
        .where(audit_link.c.sequence > sequence)
        .order_by(audit_link.c.sequence)
        .limit(at_once)
    )
    return Portion(lost, [_entry(row) for row in store.execute(links)])


def lost_entry(lost: int, sequence: int, at: datetime) -> Entry:
    """Stands for the links up to `sequence` that retention removed."""
    return Entry(sequence, at, "lost", True, {"sequence": sequence, "lost": lost})


def _entry(row: Row[Any]) -> Entry:
    link = {"sequence": row.sequence, "linkedAt": row.linked_at.isoformat(), "digest": row.digest, "seal": row.seal}
    has_failed = row.record_result == "failed"
    action = row.record_action or "missing"
    return Entry(row.sequence, row.linked_at, action, has_failed, {**link, "record": _record(row)})


def _record(row: Row[Any]) -> dict[str, Any] | None:
    """None: the record was removed from the store since."""
    if row.record_action is None:
        return None
    return {
        "id": row.record_id,
        "recordedAt": row.record_recorded_at.isoformat(),
        "tenantId": row.record_tenant_id,
        "userId": row.record_user_id,
        "userName": row.record_user_name,
        "address": row.record_address,
        "requestId": row.record_request_id,
        "action": row.record_action,
        "path": row.record_path,
        "subject": row.record_subject,
        "before": row.record_before,
        "after": row.record_after,
        "result": row.record_result,
        "errorCode": row.record_error_code,
    }
