"""Orders to single tables of a link, which are named by their source or their id."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.subscribe.start_position import IncrementalPositionRecord, find_start, position_record
from zcbus.control.features.subscribe.tables import current_tables, facts_of
from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.features.sync_link.service import chosen_tables, find_link, known_tables, link_destination
from zcbus.control.features.sync_link.table_order_schemas import IncrementalPosition, IncrementalStart
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.table_command.order import PLAIN, Parameters
from zcbus.control.features.table_command.start_incremental import start_incremental
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.model.table_verbs import SUBSCRIBED, TableVerb


def order_tables(
    call: Call, choice: LinkChoice, names: Sequence[str] | None, verb: TableVerb, parameters: Parameters = PLAIN
) -> list[TableResult]:
    """Give an order to tables of a link; None: to all that allow it. Answers a result per table."""
    link = find_link(call.connection, call.principal, choice)
    chosen = _allowing(call.connection, link, verb) if names is None else _chosen(call.connection, link, names)
    return order(call, call.connection, verb, chosen, parameters, subject=link.name)


def find_destination(
    services: Services, principal: Principal, request: IncrementalPosition
) -> IncrementalPositionRecord:
    """The start position of changes and what is pending behind it. Asks an agent: not to be called inside a
    transaction."""
    with services.database.read() as store:
        link = find_link(store, principal, request)
        rows = chosen_tables(store, link, request.tables)
    return position_record(find_start(services, link_destination(link, services.clock.now()), rows, request))


def start_at(call: Call, request: IncrementalStart) -> list[TableResult]:
    """Let tables begin with the changes at a position. As `table_command.start_incremental`."""
    with call.services.database.read() as store:
        link = find_link(store, call.principal, request)
    call.audit.subject = link.name
    return start_incremental(
        call,
        lambda store: _chosen(store, link, request.tables),
        lambda _store, _rows: link_destination(link, call.services.clock.now()),
        request,
        hold=request.hold,
        subject=link.name,
    )


def _chosen(store: StoreConnection, link: Row[Any], names: Sequence[str]) -> Chosen:
    return Chosen(*known_tables(store, link, names))


def _allowing(store: StoreConnection, link: Row[Any], verb: TableVerb) -> Chosen:
    rule = SUBSCRIBED[verb]
    return Chosen([row for row in current_tables(store, link.id) if rule.allows(facts_of(row))])
