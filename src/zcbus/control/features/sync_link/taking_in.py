"""Takes in by itself what the links' `newTables` patterns mean, as soon as their sources have it."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.new_tables import NewTables, add_found, find_new, only
from zcbus.control.features.sync_link.planning import precheck, spell
from zcbus.control.features.sync_link.schemas import ApplyRecord, LinkChoice
from zcbus.control.features.sync_link.service import link_place
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.progress import NOT_FOLLOWED
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.kit.errors import ZcbusError
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import DesiredState

SECONDS = 60.0
_log = get_logger("new-tables")


def look_for_new_tables(services: Services) -> None:
    """One look at every running link that wants it. Tables that the pre-check has errors about are left alone: the
    console lists them, and says why when somebody takes them in."""
    with services.database.read() as store:
        links = [link for link in repository.select_links(store, local_principal(), None) if _wants(link)]
    for link in links:
        if is_stale(link.agent_seen_at, services.clock.now()):
            continue
        try:
            _take_in(services, link)
        except ZcbusError as error:
            _log.warning("new tables not taken in", link=link.name, reason=error.code)


def _wants(link: Row[Any]) -> bool:
    return link.desired == DesiredState.RUNNING and bool(link.document.get("newTables"))


def _take_in(services: Services, link: Row[Any]) -> None:
    choice = LinkChoice(id=link.id, name=None)
    found = _sound(services, find_new(services, local_principal(), choice, link.document["newTables"]))
    if found.plan.tables:
        _note(services, link, add_found(services, found, ReasonTexts(services.catalogue, "en"), NOT_FOLLOWED))


def _sound(services: Services, found: NewTables) -> NewTables:
    """Those of the tables that nothing speaks against."""
    if not found.plan.tables:
        return found
    place = link_place(found.link, services.clock.now())
    findings = precheck(services, place, found.plan, NOT_FOLLOWED)
    wrong = {finding.table for finding in findings if finding.level == "error"}
    return only(found, [table for table in found.plan.tables if spell(table) not in wrong and "" not in wrong])


def _note(services: Services, link: Row[Any], done: ApplyRecord) -> None:
    added = [table.source for table in done.added]
    _log.info("new tables taken in", link=link.name, tables=added)
    where = Circumstances("sync-link.take-in", "", "", new_id())
    note = AuditNote(subject=link.name, after={"tables": added}, tenant_id=link.tenant_id)
    with services.database.write() as store:
        audit.record(store, services.clock, local_principal(), where, note)
