"""Whether what is seen of a service answers its newest order, as SQL."""

from sqlalchemy import ColumnElement, FromClause, and_

from zcbus.control.store.tables.container import agent


def is_pending(of: FromClause, by: FromClause = agent) -> ColumnElement[bool]:
    """Whether the agent does not yet follow the newest order of a service, so that what it sees is no answer to it.
    A service that no agent ever had does not wait for one to stand still."""
    return and_(of.c.agent_id.is_not(None), by.c.orders_revision < of.c.revision)
