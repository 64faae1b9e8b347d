"""Parameters that agents hear of with their orders: once one changes, all orders are told anew."""

from sqlalchemy import Connection, null, select, update

from zcbus.control.store.news import announce
from zcbus.control.store.tables.container import container
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.control.store.tables.verification import verification


def verification_changed(connection: Connection, percent: float) -> None:
    """Agents hear of it. Where nothing is verified any more, nobody can tell whether rows still differ: what is told of
    that is forgotten, and until when a table was verified stays true."""
    for identifier in connection.execute(select(container.c.id).order_by(container.c.id)).scalars().all():
        revision = update(container).where(container.c.id == identifier)
        connection.execute(revision.values(revision=container.c.revision + 1))
        announce(connection, identifier)
    if not percent:
        nothing = dict.fromkeys(("missing", "extra", "different", "differences", "pass_rows"), 0)
        connection.execute(update(verification).values(**nothing, differences_since=null(), reason=null()))
        connection.execute(update(subscribed_table).where(subscribed_table.c.has_trouble).values(unreduced=True))
