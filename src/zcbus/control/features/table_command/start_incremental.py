"""Beginning with the changes at a position, which an agent finds by time or by record number."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.subscribe.errors import TablesOfSeveralNodesError
from zcbus.control.features.subscribe.start_position import StartChoice, find_start
from zcbus.control.features.table_command.command import Chosen, examine, order
from zcbus.control.features.table_command.parameters import StartAt
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.model.table_verbs import TableVerb

_VERB = TableVerb.START_INCREMENTAL


def start_incremental(
    call: Call,
    choose: Callable[[StoreConnection], Chosen],
    destination_of: Callable[[StoreConnection, Sequence[Row[Any]]], Destination],
    request: StartChoice,
    *,
    hold: bool,
    subject: str | None = None,
) -> list[TableResult]:
    """Order `start-incremental`. `choose`: the present tables; `destination_of`: the agent to ask about them.

    Asks an agent: not to be called inside a transaction. Raises TablesOfSeveralNodesError: a position belongs to a
    single node; and AgentAnsweredError where the bus does not have it.
    """
    time = request.time.isoformat() if request.time is not None else None
    with call.services.database.read() as store:
        examined = examine(call.principal, _VERB, choose(store))
        rows = examined.taken
        if len({row.node_id for row in rows}) > 1:
            raise TablesOfSeveralNodesError
        destination = destination_of(store, rows) if rows else None
    position = find_start(call.services, destination, rows, request) if destination is not None else None
    parameters = StartAt(position, hold, time)
    with call.services.database.write() as store:
        return order(call, store, _VERB, choose(store), parameters, subject=subject, refused=examined.refused)
