"""Log that sources retain for stopped publish nodes, whose services report nothing."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service, views
from zcbus.control.features.publish.listing import destination_of
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.model.reduction.services import is_stale
from zcbus.model.services import DOWN_UNTIL_CHANGED
from zcbus.protocol.answers import RetainedLog
from zcbus.protocol.requests import WatchHeldLog

SECONDS = 60.0
_log = get_logger("retained-log")


def watch_retained_log(services: Services) -> None:
    """Measure the retained log of each node whose service is stopped after an agent ran it."""
    now = services.clock.now()
    with services.database.read() as store:
        nodes = store.execute(views.nodes(local_principal())).all()
    for node in nodes:
        if node.current_state in DOWN_UNTIL_CHANGED and node.agent_id and not is_stale(node.agent_seen_at, now):
            _watch(services, node)


def _watch(services: Services, node: Row[Any]) -> None:
    with services.database.read() as store:
        source = connections.open_stored(store, services.secrets, node.data_source_id)
    question = WatchHeldLog(source=source, node=node.id, limit_bytes=service.retained_log_limit_bytes(node))
    try:
        retained = ask(services, destination_of(node, services.clock.now()), question, RetainedLog)
    except ZcbusError as error:
        _log.info("retained log not measured", node=node.name, reason=error.code)
        return
    with services.database.write() as store:
        containers.note_backlog(store, node.service_id, retained.size_bytes)
        if retained.let_go is not None:
            _log.warning("retained log dropped", node=node.name, facts=retained.let_go.facts)
            service.fail_tables(store, node.id, retained.let_go, services.clock.now())
