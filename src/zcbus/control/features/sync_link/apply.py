"""Creating and changing a link from its document: everything is checked first, then stored in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.subscribe.settings_change import store_changes
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.creation import add_tables, create_link, key_of, stored_document
from zcbus.control.features.sync_link.difference import Difference, compare
from zcbus.control.features.sync_link.errors import (
    LinkChangedMeanwhileError,
    LinkContainerFixedError,
    LinkPlaceFixedError,
    PrecheckFailedError,
)
from zcbus.control.features.sync_link.planning import (
    Plan,
    finding_records,
    make_plan,
    precheck,
    spell,
    table_changes,
)
from zcbus.control.features.sync_link.schemas import (
    ApplyRecord,
    FindingRecord,
    LinkDocument,
    PrecheckRecord,
)
from zcbus.control.features.sync_link.service import link_destination, services_of
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.platform.progress import Progress
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.model.reduction.services import Worker
from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason, TableRef

MENU_KEY = "sync-link"


@dataclass(frozen=True, slots=True)
class _Known:
    """The stored state of the link."""

    link: Row[Any]
    source: Row[Any]
    target: Row[Any]
    tables: Sequence[Row[Any]]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A completed document: with passwords and its destination."""

    document: LinkDocument
    tenant_id: str
    destination: Destination
    known: _Known | None


def apply_link(
    services: Services,
    principal: Principal,
    document: LinkDocument,
    texts: ReasonTexts,
    progress: Progress,
    *,
    start: bool = True,
) -> ApplyRecord:
    """Create the link of that name in the caller's tenant, or change it. An invalid document changes nothing.

    Asks an agent to resolve the patterns and to pre-check the tables, so it may take seconds and must not be called
    inside a transaction. Raises ForbiddenError, the errors of `sync_link.errors`, `datasource.errors` and of `ask`.
    """
    prepared = _prepare(services, principal, document)
    needed = Operation.CREATE if prepared.known is None else Operation.EDIT
    if not principal.may(MENU_KEY, needed):
        raise ForbiddenError(menuKey=MENU_KEY, operation=needed.value)
    plan = _plan(services, prepared, progress)
    if prepared.known is None:
        findings = check_plan(services, prepared.destination, plan, texts, progress)
        progress.step("store", len(plan.tables), final=True)
        with services.database.write() as store:
            link_id = create_link(store, services, prepared.tenant_id, plan, prepared.destination, start)
        return _created(link_id, plan, finding_records(findings, texts))
    difference = compare(prepared.known.tables, plan.tables)
    findings = check_plan(services, prepared.destination, plan, texts, progress, difference)
    progress.step("store", final=True)
    with services.database.write() as store:
        return _change(store, services, prepared.known, plan, difference, findings, texts)


def precheck_link(
    services: Services, principal: Principal, document: LinkDocument, texts: ReasonTexts, progress: Progress
) -> PrecheckRecord:
    """The findings of `apply_link`, without changing anything. For a link that exists: of its new tables."""
    prepared = _prepare(services, principal, document)
    plan = _plan(services, prepared, progress)
    difference = None if prepared.known is None else compare(prepared.known.tables, plan.tables)
    findings = _findings(services, prepared.destination, plan, progress, difference)
    return PrecheckRecord(
        ok=not any(finding.level == "error" for finding in findings),
        findings=finding_records(findings, texts),
        tables=table_changes(plan.tables),
    )


def _prepare(services: Services, principal: Principal, document: LinkDocument) -> _Prepared:
    connections.check(document.source, "source")
    connections.check(document.target, "target")
    with services.database.read() as store:
        known = _known(store, principal, document.link)
        if known is None:
            destination = containers.find_destination(store, principal, document.container)
            return _Prepared(document, principal.tenant_id, destination, None)
    _check_fixed_options(known, document)
    complete = document.model_copy(
        update={
            "source": connections.merge(services.secrets, known.source, document.source, "source"),
            "target": connections.merge(services.secrets, known.target, document.target, "target"),
        }
    )
    return _Prepared(complete, known.link.tenant_id, link_destination(known.link, services.clock.now()), known)


def _known(store: StoreConnection, principal: Principal, name: str) -> _Known | None:
    links = repository.find_links(store, principal, name=name)
    own = [link for link in links if link.tenant_id == principal.tenant_id]
    if not own:
        return None
    link = own[0]
    return _Known(
        link,
        connections.stored_row(store, link.source_id),
        connections.stored_row(store, link.target_id),
        subscribe.tables_of(store, link.channel_id),
    )


def _check_fixed_options(known: _Known, document: LinkDocument) -> None:
    for side, stored, given in (("source", known.source, document.source), ("target", known.target, document.target)):
        if (option := connections.fixed_option(stored, given)) is not None:
            raise LinkPlaceFixedError(side=side, option=option)
    if document.container is not None and document.container != known.link.container_name:
        raise LinkContainerFixedError(container=known.link.container_name)


def _plan(services: Services, prepared: _Prepared, progress: Progress) -> Plan:
    container_id = prepared.destination.container_id
    source = connections.for_agents(services, prepared.document.source, prepared.tenant_id, container_id)
    target = connections.for_agents(services, prepared.document.target, prepared.tenant_id, container_id)
    return make_plan(services, prepared.destination, prepared.document, source, target, progress)


def check_plan(
    services: Services,
    destination: Destination,
    plan: Plan,
    texts: ReasonTexts,
    progress: Progress,
    difference: Difference | None = None,
) -> Sequence[Finding]:
    """Pre-check the tables that a difference loads or changes; None: all. Raises PrecheckFailedError."""
    findings = _findings(services, destination, plan, progress, difference)
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        records = finding_records(findings, texts)
        raise PrecheckFailedError(
            errors=len(errors), first=records[0].text, findings=[record.model_dump() for record in records]
        )
    return findings


def _findings(
    services: Services, destination: Destination, plan: Plan, progress: Progress, difference: Difference | None
) -> Sequence[Finding]:
    if difference is None:
        return precheck(services, destination, plan, progress)
    refused = [_needs_load(table) for table in difference.refused]
    if refused or not difference.to_check:
        return [*refused, *plan.left_out]
    return precheck(services, destination, plan, progress, difference.to_check)


def _needs_load(table: TableRef) -> Finding:
    return Finding(level="error", table=spell(table), reason=Reason(code="table-needs-load", facts={}))


def _created(link_id: str, plan: Plan, findings: list[FindingRecord]) -> ApplyRecord:
    return ApplyRecord(
        id=link_id,
        name=plan.document.link,
        created=True,
        changed=[],
        added=table_changes(plan.tables),
        removed=[],
        reloaded=[],
        version=1,
        findings=findings,
    )


def _change(
    store: StoreConnection,
    services: Services,
    known: _Known,
    plan: Plan,
    difference: Difference,
    findings: Sequence[Finding],
    texts: ReasonTexts,
) -> ApplyRecord:
    link, now = known.link, services.clock.now()
    changed = _changed_settings(store, services, known, plan)
    containers.void_reports(store, _services_to_void(link, changed))
    version = link.version
    if changed or difference:
        if not repository.change_document(store, link.id, version, stored_document(plan.document), now):
            raise LinkChangedMeanwhileError(name=link.name)
        version += 1
        publish.set_json_topic(store, services.secrets, link.node_id, plan.document.json_topic)
        publish.set_retained_log_limit(store, link.node_id, plan.document.held_log_gb)
        _store_tables(store, services, link, plan, difference)
        subscribe.set_parallel(store, link.channel_id, plan.document.threads, plan.document.lanes or 1)
        containers.notify_services(store, services_of(link))
    return ApplyRecord(
        id=link.id,
        name=link.name,
        created=False,
        changed=changed,
        added=table_changes(plan.tables, difference.added),
        removed=[table.change for table in difference.removed],
        reloaded=table_changes(plan.tables, difference.reloaded),
        version=version,
        findings=finding_records(findings, texts),
    )


def _services_to_void(link: Row[Any], changed: Sequence[str]) -> list[str]:
    """Services that a change starts again: their earlier reports are void."""
    sides = (
        ("source", link.publish_service_id, link.publish_worker),
        ("target", link.subscribe_service_id, link.subscribe_worker),
    )
    return [service_id for side, service_id, worker in sides if side in changed or (changed and worker == Worker.ENDED)]


def _changed_settings(store: StoreConnection, services: Services, known: _Known, plan: Plan) -> list[str]:
    """Store changed connections, and name every setting that differs from the stored document's."""
    now, document = services.clock.now(), plan.document
    changed = [
        side
        for side, stored, given in (
            ("source", known.source, document.source),
            ("target", known.target, document.target),
        )
        if connections.change(store, services.secrets, stored, given, now)
    ]
    kept = stored_document(document)
    stored = known.link.document
    return changed + [name for name in {**stored, **kept} if stored.get(name) != kept.get(name)]


def _store_tables(
    store: StoreConnection, services: Services, link: Row[Any], plan: Plan, difference: Difference
) -> None:
    # Removals come first: an added table may take the target's name.
    subscribe.remove_tables(store, [table.id for table in difference.removed])
    publish.remove_tables(store, [table.published_id for table in difference.removed])
    publish.change_tables(
        store,
        {table.published_id: (key_of(table.change.after), table.published_generation) for table in difference.changed},
    )
    store_changes(store, [table.change for table in difference.changed])
    add_tables(store, services, link.node_id, link.channel_id, plan, difference.added)
