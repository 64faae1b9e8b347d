"""What an order carries to its effect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.platform.call import Call
from zcbus.model.table_verbs import SubscribedFacts


class Parameters:
    """What an order says beside its verb."""

    def narrow(self, facts: SubscribedFacts, row: Row[Any]) -> SubscribedFacts:
        """A table's facts as these parameters see them."""
        return facts

    def noted(self) -> dict[str, Any]:
        """What the operation log keeps of them."""
        return {}


PLAIN = Parameters()


@dataclass(frozen=True, slots=True)
class Order:
    """An order whose tables all allow it. `store`: the transaction that it writes in."""

    call: Call
    store: StoreConnection
    parameters: Any


Effect = Callable[[Order, Sequence[Row[Any]]], None]
"""What a verb changes. Gets at least one row, and serves thousands of them in a few statements."""
