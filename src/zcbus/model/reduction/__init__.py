"""States that users see, derived from orders and reports.

Pure functions, one module per kind of subject: facts in, state out. `zcbus.control.store.reduction` calls them when a
fact changes and stores the result; all other code reads the stored state.
"""

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S", bound=StrEnum)


class Origin(StrEnum):
    """The main source of a table's or stream query's state."""

    REPORT = "report"
    """Its service's newest report."""
    ORDER = "order"
    """The newest order, which no report reflects yet."""
    SERVICE = "service"
    """Its service, which does not work now."""
    PUBLISHING = "publishing"
    """The published table that it receives."""


class Reduced(NamedTuple, Generic[S]):
    """A state and its source."""

    state: S
    origin: Origin
