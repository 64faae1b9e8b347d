"""Effects of verification parameters on agents' orders and on stored results."""

from sqlalchemy import Connection, null, select, update

from zcbus.control.store.change_events import notify
from zcbus.control.store.tables.container import container
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.control.store.tables.verification import verification


def verification_changed(connection: Connection, percent: float) -> None:
    """Send all agents their orders again. 0 percent ends verification: the stored differences are cleared, since they
    can no longer be checked. Until when a table was verified stays true."""
    for identifier in connection.execute(select(container.c.id).order_by(container.c.id)).scalars().all():
        revision = update(container).where(container.c.id == identifier)
        connection.execute(revision.values(revision=container.c.revision + 1))
        notify(connection, identifier)
    if not percent:
        nothing = dict.fromkeys(("missing", "extra", "different", "differences", "pass_rows"), 0)
        connection.execute(update(verification).values(**nothing, differences_since=null(), reason=null()))
        connection.execute(update(subscribed_table).where(subscribed_table.c.has_trouble).values(unreduced=True))
