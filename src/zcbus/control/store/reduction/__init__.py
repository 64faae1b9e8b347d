"""Keeps the stored states equal to what `zcbus.model.reduction` says of the stored facts.

Every insert or update of a row that a state follows from marks the row (`unreduced_column`). What is marked is reduced
before the transaction commits, and before it reads again, so that no committed row and no answer has an older state.
Dependents are reduced with what they depend on, in one order: services, published tables, subscribed tables and
stream queries, links. Nothing else writes the columns `current_…`.
"""

from zcbus.control.store.reduction.reducer import Reducer

__all__ = ["Reducer"]
