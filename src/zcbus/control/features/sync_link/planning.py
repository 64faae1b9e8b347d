"""Resolution of a link document to its tables: patterns resolved by an agent, settings merged, names checked."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zcbus.control.features.subscribe.errors import TargetNameLengthError
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.control.features.subscribe.transform_input import LinkNames, TransformInput
from zcbus.control.features.sync_link.errors import (
    LinkHasNoTablesError,
    LinkTablesMissingError,
    TargetTwiceError,
)
from zcbus.control.features.sync_link.schemas import (
    FindingRecord,
    LinkDocument,
    TableChange,
    TableMapping,
)
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.progress import Progress
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.model.states import IndexMode
from zcbus.protocol.answers import Finding, Findings, Resolved
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import Precheck, ResolveTables
from zcbus.protocol.transforms import NameRule


@dataclass(frozen=True, slots=True)
class Plan:
    """A resolved document: source table → its settings, in the source's order."""

    document: LinkDocument
    source: Connection
    target: Connection
    tables: Mapping[TableRef, TableSettings]
    left_out: Sequence[Finding] = ()
    """Warnings about tables that patterns match and that cannot be replicated."""


def make_plan(
    services: Services,
    destination: Destination,
    document: LinkDocument,
    source: Connection,
    target: Connection,
    progress: Progress,
) -> Plan:
    """Resolve a document's tables. Raises LinkHasNoTablesError, LinkTablesMissingError, TargetTwiceError,
    TargetNameLengthError and what `ask` raises."""
    mappings = {source_of(entry): entry for entry in document.tables if isinstance(entry, TableMapping)}
    patterns = [entry for entry in document.tables if isinstance(entry, str)]
    question = ResolveTables(
        source=source,
        target=target,
        # Tables with settings come last, so that no exclusion removes them.
        patterns=(*patterns, *(f"{table.schema_name}.{table.table}" for table in mappings)),
    )
    progress.step("resolve")
    resolved = ask(services, destination, question, Resolved, progress=progress)
    defaults = {table.source: table.target for table in resolved.tables}
    missing = [spell(table) for table in mappings if table not in defaults]
    if missing:
        raise LinkTablesMissingError(tables=", ".join(missing[:10]))
    if not defaults:
        raise LinkHasNoTablesError
    tables = {
        source_table: settings_in(document, mappings.get(source_table), target_table)
        for source_table, target_table in defaults.items()
    }
    check_targets(tables)
    return Plan(document, source, target, tables, resolved.left_out)


def plan_of_named(document: LinkDocument, source: Connection, target: Connection) -> Plan:
    """The plan of a document that names every table with its target: nothing to resolve. Raises TargetTwiceError,
    TargetNameLengthError."""
    tables = {
        source_of(entry): settings_in(
            document, entry, TableRef(schema_name=entry.target.schema_name, table=entry.target.table)
        )
        for entry in document.tables
        if isinstance(entry, TableMapping) and entry.target is not None
    }
    check_targets(tables)
    return Plan(document, source, target, tables)


def precheck(
    services: Services, destination: Destination, plan: Plan, progress: Progress, only: Iterable[TableRef] | None = None
) -> tuple[Finding, ...]:
    """An agent's pre-check findings about a plan, or about some of its tables, and what its patterns left out."""
    chosen = plan.tables if only is None else {table: plan.tables[table] for table in only}
    question = Precheck(
        source=plan.source,
        target=plan.target,
        tables=tuple(settings.planned(table) for table, settings in chosen.items()),
        load=plan.document.load,
        clean=plan.document.clean,
        json_topic=plan.document.json_topic or "",
    )
    progress.step("precheck")
    return (*ask(services, destination, question, Findings, progress=progress).findings, *plan.left_out)


def finding_records(findings: Iterable[Finding], texts: ReasonTexts) -> list[FindingRecord]:
    """Findings in the caller's language, errors first."""
    order = {"error": 0, "warning": 1, "info": 2}
    return [
        FindingRecord(
            level=finding.level,
            table=finding.table,
            column=finding.column,
            code=finding.reason.code,
            text=texts.text(finding.reason.code, finding.reason.facts),
            remedy=finding.remedy or texts.remedy(finding.reason.code, finding.reason.facts),
            advice=texts.advice(finding.advice),
        )
        for finding in sorted(findings, key=lambda finding: order[finding.level])
    ]


def table_changes(
    tables: Mapping[TableRef, TableSettings], only: Sequence[TableRef] | None = None
) -> list[TableChange]:
    """Tables as text for people."""
    chosen = tables if only is None else only
    return [TableChange(source=spell(table), target=spell(tables[table].target)) for table in chosen]


def spell(table: TableRef) -> str:
    """`schema.table`."""
    return f"{table.schema_name}.{table.table}"


def source_of(entry: TableMapping) -> TableRef:
    """The source table that a document names."""
    return TableRef(schema_name=entry.source.schema_name, table=entry.source.table)


def settings_in(document: LinkDocument, mapping: TableMapping | None, default: TableRef) -> TableSettings:
    """A table's settings in a link's document; its target schema is `default` unless set."""
    chosen = mapping.target if mapping is not None else None
    named = _named(document.names, default)
    transform = (mapping or TransformInput()).transform(
        document.names.column if document.names is not None else None, document.column_case == 1
    )
    return TableSettings(
        target=TableRef(schema_name=chosen.schema_name, table=chosen.table) if chosen is not None else named,
        columns=mapping.column_pairs if mapping is not None else (),
        key=tuple(mapping.key) if mapping is not None else (),
        load=document.load,
        clean=document.clean,
        ddl=document.ddl,
        indexes=document.indexes is IndexMode.ALL,
        transform=transform,
        append_only=bool(mapping is not None and mapping.append_only),
    )


def _named(names: LinkNames | None, default: TableRef) -> TableRef:
    """Where a table goes by the link's rules for names."""
    if names is None:
        return default
    schema = names.schema_rule.rule() if names.schema_rule is not None else NameRule()
    table = names.table.rule() if names.table is not None else NameRule()
    return TableRef(schema_name=schema.apply(default.schema_name), table=table.apply(default.table))


def check_targets(tables: Mapping[TableRef, TableSettings]) -> None:
    """No two tables go to one, and names are not too long. Raises TargetTwiceError, TargetNameLengthError."""
    sources: dict[TableRef, list[str]] = defaultdict(list)
    for source, settings in tables.items():
        for name in (settings.target.schema_name, settings.target.table):
            if not 0 < len(name) <= MAX_TARGET_NAME_LENGTH:
                raise TargetNameLengthError(name=name, limit=MAX_TARGET_NAME_LENGTH)
        sources[settings.target].append(spell(source))
    for target, names in sources.items():
        if len(names) > 1:
            raise TargetTwiceError(target=spell(target), sources=", ".join(names))
