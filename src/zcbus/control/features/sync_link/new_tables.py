"""Tables of a link's source that the link does not replicate yet: found, added by one click, or automatically."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.apply import check_plan
from zcbus.control.features.sync_link.creation import add_tables
from zcbus.control.features.sync_link.errors import LinkChangedMeanwhileError, LinkTablesMissingError
from zcbus.control.features.sync_link.planning import (
    Plan,
    check_targets,
    finding_records,
    settings_in,
    spell,
    table_changes,
)
from zcbus.control.features.sync_link.schemas import ApplyRecord, LinkChoice, LinkDocument
from zcbus.control.features.sync_link.service import find_link, link_destination
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.progress import Progress
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.protocol.answers import Resolved
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import ResolveTables

_WILDCARDS = frozenset("*?")


@dataclass(frozen=True, slots=True)
class NewTables:
    """Tables that a link could add. `plan`: the new tables alone; `named`: those that its document does not match
    yet."""

    link: Row[Any]
    known: Mapping[TableRef, TableSettings]
    plan: Plan
    named: frozenset[TableRef]


def find_new(services: Services, principal: Principal, choice: LinkChoice, patterns: Sequence[str] = ()) -> NewTables:
    """Tables in the source that match the patterns and are not in the link. Default patterns: the link's own; a link
    that names each of its tables has those of the same schemas.

    Asks an agent: not to be called inside a transaction.
    """
    with services.database.read() as store:
        link = find_link(store, principal, choice)
        source = connections.open_stored(store, services.secrets, link.source_id)
        target = connections.open_stored(store, services.secrets, link.target_id)
        known = {
            TableRef(schema_name=row.source_schema, table=row.source_table): subscribe.settings_of(row)
            for row in subscribe.tables_of(store, link.channel_id)
        }
    document = _document(link)
    own = [entry for entry in document.tables if isinstance(entry, str)]
    meant = _resolve(services, link, source, target, own)
    found = _resolve(services, link, source, target, patterns or _patterns(own, known))
    new = {table: settings_in(document, None, target) for table, target in found.items() if table not in known}
    return NewTables(link, known, Plan(document, source, target, new), frozenset(new.keys() - meant.keys()))


def add_named(
    services: Services,
    principal: Principal,
    choice: LinkChoice,
    tables: Sequence[str],
    texts: ReasonTexts,
    progress: Progress,
) -> ApplyRecord:
    """Add tables of the source to a link, by `schema.table`; its others are not touched. An invalid choice changes
    nothing. Raises LinkTablesMissingError, PrecheckFailedError, LinkChangedMeanwhileError and what `find_new`
    raises."""
    progress.step("resolve")
    return add_found(services, _chosen(find_new(services, principal, choice), tables), texts, progress)


def add_found(services: Services, found: NewTables, texts: ReasonTexts, progress: Progress) -> ApplyRecord:
    """Check tables that were found, and let the link carry them."""
    link, plan = found.link, found.plan
    check_targets({**found.known, **plan.tables})
    destination = link_destination(link, services.clock.now())
    findings = check_plan(services, destination, plan, texts, progress)
    added = [_entry(table) for table in plan.tables if table in found.named]
    document = {**link.document, "tables": [*link.document["tables"], *added]}
    progress.step("store", len(plan.tables), final=True)
    with services.database.write() as store:
        if not repository.change_document(store, link.id, link.version, document, services.clock.now()):
            raise LinkChangedMeanwhileError(name=link.name)
        add_tables(store, services, link.node_id, link.channel_id, plan, list(plan.tables))
        containers.notify_container(store, link.container_id)
    return ApplyRecord(
        id=link.id,
        name=link.name,
        created=False,
        changed=["tables"] if added else [],
        added=table_changes(plan.tables),
        removed=[],
        reloaded=[],
        version=link.version + 1,
        findings=finding_records(findings, texts),
    )


def only(found: NewTables, tables: Sequence[TableRef]) -> NewTables:
    """Some of the tables that were found."""
    return replace(found, plan=replace(found.plan, tables={table: found.plan.tables[table] for table in tables}))


def _chosen(found: NewTables, names: Sequence[str]) -> NewTables:
    by_name = {spell(table): table for table in found.plan.tables}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise LinkTablesMissingError(tables=", ".join(missing[:10]))
    return only(found, [by_name[name] for name in dict.fromkeys(names)])


def _resolve(
    services: Services, link: Row[Any], source: Connection, target: Connection, patterns: Sequence[str]
) -> dict[TableRef, TableRef]:
    """Source tables that the patterns mean, and where they go by themselves."""
    if not patterns:
        return {}
    question = ResolveTables(
        source=source,
        target=target,
        patterns=tuple(patterns),
        lenient=True,
    )
    destination = link_destination(link, services.clock.now())
    return {one.source: one.target for one in ask(services, destination, question, Resolved).tables}


def _patterns(own: Sequence[str], known: Mapping[TableRef, TableSettings]) -> list[str]:
    if any(_WILDCARDS & set(pattern) for pattern in own):
        return list(own)
    return [f"{schema}.*" for schema in sorted({table.schema_name for table in known})]


def _document(link: Row[Any]) -> LinkDocument:
    """The link's document without its passwords."""
    source, target = (
        {"kind": link.source_kind, **link.source_options},
        {"kind": link.target_kind, **link.target_options},
    )
    return LinkDocument.model_validate({"link": link.name, "source": source, "target": target, **link.document})


def _entry(table: TableRef) -> Any:
    """How a document names a table: as a pattern, unless that would mean something else."""
    name = spell(table)
    if _WILDCARDS & set(name) or name.startswith("!"):
        return {"source": {"schema": table.schema_name, "table": table.table}}
    return name
