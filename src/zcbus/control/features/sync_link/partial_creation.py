"""Creation of a link of those tables of a document that pass the pre-check."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zcbus.control.features.datasource import connections
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.creation import create_link
from zcbus.control.features.sync_link.errors import LinkNameTakenError, PrecheckFailedError
from zcbus.control.features.sync_link.planning import Plan, finding_records, plan_of_named, precheck, source_of, spell
from zcbus.control.features.sync_link.schemas import FindingRecord, LinkDocument, TableMapping
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.progress import Progress
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.protocol.base import TableRef


@dataclass(frozen=True, slots=True)
class PartlyMade:
    """A link that was created and started; None: no table passed. `refused`: source table → why."""

    link_id: str | None
    task_id: str | None
    refused: Mapping[TableRef, str]


def create_partial(
    services: Services,
    tenant_id: str,
    destination: Destination,
    document: LinkDocument,
    texts: ReasonTexts,
    progress: Progress,
) -> PartlyMade:
    """Pre-check a document that names each of its tables, and create a link of those that pass.

    Asks an agent: not to be called inside a transaction. Raises LinkNameTakenError; PrecheckFailedError for errors that
    concern no single table; what `plan_of_named` and `ask` raise. Then nothing was created.
    """
    connections.check(document.source, "source")
    connections.check(document.target, "target")
    with services.database.read() as store:
        if repository.name_is_taken(store, tenant_id, document.link):
            raise LinkNameTakenError(name=document.link)
    source = connections.for_agents(services, document.source, tenant_id, destination.container_id)
    target = connections.for_agents(services, document.target, tenant_id, destination.container_id)
    plan = plan_of_named(document, source, target)
    errors = [
        one for one in finding_records(precheck(services, destination, plan, progress), texts) if one.level == "error"
    ]
    refused = _by_table(errors, plan)
    passing = _without(plan, refused)
    if not passing.tables:
        return PartlyMade(None, None, refused)
    progress.step("store", len(passing.tables), final=True)
    with services.database.write() as store:
        link_id = create_link(store, services, tenant_id, passing, destination, start=True)
        return PartlyMade(link_id, repository.task_of(store, link_id), refused)


def _by_table(errors: list[FindingRecord], plan: Plan) -> Mapping[TableRef, str]:
    by_name = {spell(table): table for table in plan.tables}
    general = [error for error in errors if error.table not in by_name]
    if general:
        raise PrecheckFailedError(
            errors=len(general), first=general[0].text, findings=[error.model_dump() for error in general]
        )
    # The first error of a table is enough to see what to fix.
    return {by_name[error.table]: error.text for error in reversed(errors)}


def _without(plan: Plan, refused: Mapping[TableRef, str]) -> Plan:
    entries = [
        entry
        for entry in plan.document.tables
        if not isinstance(entry, TableMapping) or source_of(entry) not in refused
    ]
    return replace(
        plan,
        document=plan.document.model_copy(update={"tables": entries}),
        tables={table: settings for table, settings in plan.tables.items() if table not in refused},
    )
