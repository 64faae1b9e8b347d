"""How far each receiver has the log, and which control plane sends."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select, update

from zcbus.control.store.tables.audit import audit_anchor, audit_link, audit_stream

HELD = timedelta(minutes=2)
"""A sender that is silent for so long is replaced; longer than any attempt takes."""


def find(store: Connection, way: str) -> Row[Any] | None:
    return store.execute(select(audit_stream).where(audit_stream.c.way == way)).one_or_none()


def find_all(store: Connection) -> dict[str, Row[Any]]:
    return {row.way: row for row in store.execute(select(audit_stream))}


def last_sequence(store: Connection) -> int:
    """The chain's last link; 0: there is none."""
    return store.execute(select(func.max(audit_link.c.sequence))).scalar() or 0


def hold(store: Connection, way: str, holder: str, now: datetime) -> Row[Any] | None:
    """Become the sender, or stay it; None: another control plane is. A new stream begins with the oldest entry."""
    if find(store, way) is None:
        removed = store.execute(select(audit_anchor.c.sequence)).scalar() or 0
        store.execute(audit_stream.insert().values(way=way, sequence=removed, lost=0))
    is_free = or_(audit_stream.c.holder.is_(None), audit_stream.c.holder == holder, audit_stream.c.held_until <= now)
    taken = store.execute(
        update(audit_stream)
        .where(audit_stream.c.way == way, is_free)
        .values(holder=holder, held_until=now + HELD)
        .returning(*audit_stream.c)
    )
    return taken.one_or_none()


def change(store: Connection, way: str, holder: str, **values: Any) -> None:
    """Change the row, unless another control plane has taken over meanwhile."""
    own = (audit_stream.c.way == way) & (audit_stream.c.holder == holder)
    store.execute(update(audit_stream).where(own).values(values))
