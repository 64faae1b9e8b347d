"""What a subscription's counts of changes mean together with those of its publisher, in SQL.

For statements over `subscribed_table` joined with its `published_table`.
"""

from typing import Any

from sqlalchemy import ColumnElement, and_, case, or_

from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import subscribed_table

_SUBSCRIBED, _PUBLISHED = subscribed_table.c, published_table.c


def is_comparable() -> ColumnElement[bool]:
    """Whether both sides have counted from the same record on, so that what waits is known."""
    untouched = and_(_SUBSCRIBED.changes_handled == 0, _PUBLISHED.changes == 0)
    return or_(_SUBSCRIBED.changes_epoch == _PUBLISHED.changes_epoch, untouched)


def waiting_changes() -> ColumnElement[Any]:
    """Changes on the topic that the subscription has not settled; NULL: not known."""
    settled = _SUBSCRIBED.changes_base + _SUBSCRIBED.changes_handled + _SUBSCRIBED.changes_difference
    # The subscription may have reported later than its publisher.
    waiting = case((_PUBLISHED.changes > settled, _PUBLISHED.changes - settled), else_=0)
    untouched = and_(_SUBSCRIBED.changes_handled == 0, _PUBLISHED.changes == 0)
    return case((untouched, 0), (_SUBSCRIBED.changes_epoch == _PUBLISHED.changes_epoch, waiting))
