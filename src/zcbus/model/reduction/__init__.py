"""The one place where states that are shown follow from orders and reports.

Pure functions, one module for each kind of thing: facts in, state out. `zcbus.control.store.reduction` calls them when
a fact changes and stores the result; everything else reads what is stored.
"""

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S", bound=StrEnum)


class Origin(StrEnum):
    """What a table's or a computation's state says most about."""

    REPORT = "report"
    """Its own service's newest report."""
    ORDER = "order"
    """The newest order, which no report answers yet."""
    SERVICE = "service"
    """Its service, which works no longer or not yet."""
    PUBLISHING = "publishing"
    """The published table that it receives."""


class Reduced(NamedTuple, Generic[S]):
    """A state, and what it follows from."""

    state: S
    origin: Origin
