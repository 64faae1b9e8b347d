"""Log that sources keep for publish nodes that stand still: nobody reads it, so nobody reports it."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service, views
from zcbus.control.features.publish.listing import place_of
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.model.reduction.services import is_stale
from zcbus.model.services import STANDS_STILL
from zcbus.protocol.answers import HeldLog
from zcbus.protocol.requests import WatchHeldLog

SECONDS = 60.0
_log = get_logger("held-log")


def watch_held_log(services: Services) -> None:
    """Ask for each node whose service stands still though an agent once ran it."""
    now = services.clock.now()
    with services.database.read() as store:
        nodes = store.execute(views.nodes(local_principal())).all()
    for node in nodes:
        if node.current_state in STANDS_STILL and node.agent_id and not is_stale(node.agent_seen_at, now):
            _watch(services, node)


def _watch(services: Services, node: Row[Any]) -> None:
    with services.database.read() as store:
        source = connections.open_stored(store, services.secrets, node.data_source_id)
    question = WatchHeldLog(source=source, node=node.id, limit_bytes=service.held_log_bytes(node))
    try:
        held = ask(services, place_of(node, services.clock.now()), question, HeldLog)
    except ZcbusError as error:
        _log.info("held log not measured", node=node.name, reason=error.code)
        return
    with services.database.write() as store:
        containers.note_backlog(store, node.service_id, held.size_bytes)
        if held.let_go is not None:
            _log.warning("held log let go", node=node.name, facts=held.let_go.facts)
            service.fail_tables(store, node.id, held.let_go, services.clock.now())
