"""Automatic addition of new source tables that match the links' `newTables` patterns."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.new_tables import NewTables, add_found, find_new, only
from zcbus.control.features.sync_link.planning import precheck, spell
from zcbus.control.features.sync_link.schemas import ApplyRecord, LinkChoice
from zcbus.control.features.sync_link.service import link_destination
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


def add_new_tables(services: Services) -> None:
    """Check every running link with `newTables` once. Tables with pre-check errors are left out; the console lists
    them, and shows the errors when an operator adds them."""
    with services.database.read() as store:
        links = [link for link in repository.select_links(store, local_principal(), None) if _follows_new_tables(link)]
    for link in links:
        if is_stale(link.agent_seen_at, services.clock.now()):
            continue
        try:
            _add(services, link)
        except ZcbusError as error:
            _log.warning("new tables not added", link=link.name, reason=error.code)


def _follows_new_tables(link: Row[Any]) -> bool:
    return link.desired == DesiredState.RUNNING and bool(link.document.get("newTables"))


def _add(services: Services, link: Row[Any]) -> None:
    choice = LinkChoice(id=link.id, name=None)
    found = _passing(services, find_new(services, local_principal(), choice, link.document["newTables"]))
    if found.plan.tables:
        _note(services, link, add_found(services, found, ReasonTexts(services.catalogue, "en"), NOT_FOLLOWED))


def _passing(services: Services, found: NewTables) -> NewTables:
    """The tables without a pre-check error."""
    if not found.plan.tables:
        return found
    destination = link_destination(found.link, services.clock.now())
    findings = precheck(services, destination, found.plan, NOT_FOLLOWED)
    wrong = {finding.table for finding in findings if finding.level == "error"}
    return only(found, [table for table in found.plan.tables if spell(table) not in wrong and "" not in wrong])


def _note(services: Services, link: Row[Any], done: ApplyRecord) -> None:
    added = [table.source for table in done.added]
    _log.info("new tables added", link=link.name, tables=added)
    where = Circumstances("sync-link.take-in", "", "", new_id())
    note = AuditNote(subject=link.name, after={"tables": added}, tenant_id=link.tenant_id)
    with services.database.write() as store:
        audit.record(store, services, local_principal(), where, note)
