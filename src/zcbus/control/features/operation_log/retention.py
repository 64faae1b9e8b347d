"""Old records of the operation log are removed from the beginning of its chain, so that the rest stays provable."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, exists, select

from zcbus.control.features.parameter.service import operation_log_days
from zcbus.control.platform import audit_chain
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_anchor, audit_link, audit_record
from zcbus.kit.logging import get_logger

_log = get_logger("control.audit")

_REMOVED_AT_ONCE = 1_000


def remove_old(services: Services) -> None:
    """Delete records that were completed before `operation_log_days`, some at a time. Links that do not follow each
    other are evidence: nothing behind them is deleted. Safe to run twice at once."""
    with services.database.read() as store:
        oldest = services.clock.now() - timedelta(days=operation_log_days(store))
    removed = _REMOVED_AT_ONCE
    while removed == _REMOVED_AT_ONCE:
        with services.database.write() as store:
            removed = _cut(store, services, oldest)
    with services.database.write() as store:
        # What no link names is either forged or written by a replica of an older version.
        unlinked = ~exists().where(audit_link.c.record_id == audit_record.c.id)
        store.execute(delete(audit_record).where(audit_record.c.recorded_at < oldest, unlinked))


def _cut(store: Connection, services: Services, oldest: datetime) -> int:
    """Remove the chain's first links and the records that no other link names; returns how many links."""
    chain = audit_chain.Chain.of(services.secrets)
    anchor = store.execute(select(audit_anchor).with_for_update()).one_or_none()
    if anchor is None:
        return 0
    links = select(audit_link).order_by(audit_link.c.sequence).limit(_REMOVED_AT_ONCE)
    end, names = audit_chain.Head(anchor.sequence, anchor.link_seal), []
    for link in store.execute(links).all():
        seal = chain.link_seal(end.sequence + 1, link.record_id, link.linked_at, link.digest, end.seal)
        if link.sequence != end.sequence + 1 or seal != link.seal:
            _log.error("operation log broken, nothing removed behind", sequence=end.sequence)
            break
        if link.linked_at >= oldest:
            break
        end = audit_chain.Head(link.sequence, link.seal)
        names.append(link.record_id)
    if not names:
        return 0
    store.execute(delete(audit_link).where(audit_link.c.sequence <= end.sequence))
    linked = exists().where(audit_link.c.record_id == audit_record.c.id)
    store.execute(delete(audit_record).where(audit_record.c.id.in_(names), ~linked))
    audit_chain.move_anchor(store, chain, anchor, end, services.clock.now())
    return len(names)
