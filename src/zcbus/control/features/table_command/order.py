"""Input of the effect of an order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.platform.call import Call
from zcbus.model.table_verbs import SubscribedFacts


class Parameters:
    """Parameters of an order besides its verb."""

    def narrow(self, facts: SubscribedFacts, row: Row[Any]) -> SubscribedFacts:
        """A table's facts as these parameters see them."""
        return facts

    def noted(self) -> dict[str, Any]:
        """The part of them in the operation log."""
        return {}


PLAIN = Parameters()


@dataclass(frozen=True, slots=True)
class Order:
    """An order whose tables all allow it. `store`: the transaction that it writes in."""

    call: Call
    store: StoreConnection
    parameters: Any


Effect = Callable[[Order, Sequence[Row[Any]]], None]
"""Effect of a verb. Gets at least one row, and handles thousands of them in a few statements."""
