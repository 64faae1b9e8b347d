"""Log that sources keep for links that stand still: nobody reads it, so nobody reports it."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.requests import ask
from zcbus.control.features.datasource import connections
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.service import link_place
from zcbus.control.features.sync_link.states import AT_REST
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.protocol.requests import HeldLog, MeasureHeldLog

SECONDS = 60.0
_log = get_logger("held-log")


def measure_held_log(services: Services) -> None:
    """Ask for each link whose publish service stands still though an agent once ran it."""
    now = services.clock.now()
    with services.database.read() as store:
        links = repository.select_links(store, local_principal(), None)
    for link in links:
        if link.publish_observed in AT_REST and link.agent_id and not containers.is_stale(link.agent_seen_at, now):
            _measure(services, link)


def _measure(services: Services, link: Row[Any]) -> None:
    with services.database.read() as store:
        source = connections.open_stored(store, services.secrets, link.source_id)
    question = MeasureHeldLog(source=source, node=link.node_id)
    try:
        held = ask(services, link_place(link, services.clock.now()), question, HeldLog)
    except ZcbusError as error:
        _log.info("held log not measured", link=link.name, reason=error.code)
        return
    with services.database.write() as store:
        containers.note_backlog(store, link.publish_service_id, held.size_bytes)
