"""Pre-check of a link before it starts: errors block, warnings do not."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from zcbus.bus.contract import ExportNotOffered
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import CapturedTable, Side, Target, TargetSession, TargetTable
from zcbus.connectors.roles.sink import refusal
from zcbus.engine import reasons
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.reasons import TableStopped, reason_of
from zcbus.engine.requests.databases import mapping_reason, table_name
from zcbus.engine.requests.findings import error, info, warning
from zcbus.engine.requests.tablecheck import check_columns, check_existing_target
from zcbus.engine.requests.watch import Watch
from zcbus.engine.subscribe.schema.mapping import map_table
from zcbus.engine.transform.shapes import Shapes
from zcbus.kit.bus_settings import EMBEDDED, BusSettings
from zcbus.model.schema import TableName, TableSchema, TableSummary
from zcbus.model.states import CleanMode, LoadMode
from zcbus.protocol.answers import Finding, Findings
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import PlannedTable, Precheck
from zcbus.protocol.tasks import ColumnMapping, SubscribedTable

_NAME_LIMIT = 128


@dataclass(frozen=True, slots=True)
class _Planned:
    """A planned table with its source schema and its target."""

    table: PlannedTable
    schema: TableSchema
    target: TableName
    key: tuple[str, ...]
    mapped: TargetTable | None = None
    """The target table; None: it cannot be mapped."""

    @property
    def result(self) -> TableSchema:
        """The schema after the transform."""
        return self.mapped.source_schema if self.mapped is not None else self.schema


def precheck(request: Precheck, connectors: Connectors, bus: BusSettings, watch: Watch) -> Findings:
    """Check connections, names, columns, keys and existing targets. Only a broken connection raises, and
    RequestWithdrawn."""
    findings = [
        *_check_connection(request.source, "source", connectors),
        *_check_connection(request.target, "target", connectors),
    ]
    if request.json_topic and bus.address == EMBEDDED:
        findings.append(error(ExportNotOffered.code, feed=request.json_topic))
    if not request.tables:
        findings.append(error(reasons.NOTHING_SELECTED))
    if not any(finding.level == "error" for finding in findings):
        findings += _check_tables(request, connectors, watch)
    return Findings(findings=tuple(findings))


def _check_connection(connection: Connection, side: Side, connectors: Connectors) -> Iterator[Finding]:
    """The connection test's failed rows."""
    for result in connectors(connection.kind).tester().test(options_of(connection), side):
        if not result.ok:
            level = error if result.blocking else warning
            found = level(reasons.CHECK_FAILED, remedy=result.remedy, side=side, item=result.item, detail=result.detail)
            yield found.model_copy(update={"advice": result.advice})


def _check_tables(request: Precheck, connectors: Connectors, watch: Watch) -> list[Finding]:
    """Check each table in four steps: its schema in the source, its mapping, its columns, and the existing target
    table."""
    count = len(request.tables)
    total = 4 * count
    watch.reached(0, total)
    target = connectors(request.target.kind).target(options_of(request.target))
    planned, findings = _describe(request, connectors, target, watch, total)
    findings += _check_names(request, planned)
    findings += _check_capture(request, planned, connectors)
    for number, plan in enumerate(planned):
        watch.reached(2 * count + number, total)
        findings += check_columns(plan.table, plan.schema, plan.key)
        if plan.table.append_only and spec_of(request.target.kind).capabilities.needs_key:
            findings.append(error(reasons.TARGET_NEEDS_KEY, table=plan.schema.name))
        findings += _check_mapping(plan, target)
    with target.open() as session:
        for plans in watch.batches(planned, 3 * count, total):
            existing = session.describe([plan.target for plan in plans])
            for plan in plans:
                findings += _check_declared(request, plan, session)
                findings += _check_target(request, plan, existing.get(plan.target))
                findings += _check_exact_keys(request, plan, existing.get(plan.target), session)
    return findings


def _describe(
    request: Precheck, connectors: Connectors, target: Target, watch: Watch, total: int
) -> tuple[list[_Planned], list[Finding]]:
    """Schemas of the tables that exist; the others become findings."""
    planned: list[_Planned] = []
    findings: list[Finding] = []
    names = [table_name(table.source) for table in request.tables]
    schemas: dict[TableName, TableSchema] = {}
    with connectors(request.source.kind).discoverer(options_of(request.source)) as discoverer:
        summaries = {summary.name: summary for summary in discoverer.tables()}
        for part in watch.batches([name for name in names if name in summaries], 0, total):
            schemas |= {schema.name: schema for schema in discoverer.describe(part)}
    for number, (table, name) in enumerate(zip(request.tables, names, strict=True)):
        watch.reached(len(names) + number, total)
        if name not in schemas:
            findings.append(error(TableMissing.code, table=name, side="source"))
            continue
        findings += _check_summary(summaries[name])
        plan = _plan(table, schemas[name], target, request.source.kind)
        mapped, refused = _map(plan)
        planned.append(replace(plan, mapped=mapped))
        findings += refused
    return planned, findings


def _map(plan: _Planned) -> tuple[TargetTable | None, list[Finding]]:
    """Mapped target table, or findings why there is none. Leaves out what `check_columns` reports."""
    table = plan.table
    target = TableRef(schema_name=plan.target.schema, table=plan.target.table)
    columns = tuple(ColumnMapping(source=source, target=name) for source, name in table.columns)
    task = SubscribedTable(
        id="",
        published="",
        source=table.source,
        target=target,
        columns=columns,
        append_only=table.append_only,
        transform=table.transform,
    )
    try:
        return map_table(task, plan.schema, plan.key, Shapes("")).table, []
    except TableStopped as stopped:
        if stopped.reason.code == reasons.KEY_NOT_MAPPED:
            return None, []
        return None, [error(stopped.reason.code, **stopped.reason.facts)]


def _check_summary(summary: TableSummary) -> Iterator[Finding]:
    if summary.refused:
        yield error(reasons.TABLE_SELECTED_REFUSED, table=summary.name, reason=summary.refused)
    if summary.notice:
        yield warning(summary.notice, table=summary.name)


def _plan(table: PlannedTable, schema: TableSchema, target: Target, dialect: str) -> _Planned:
    default = TableName(target.default_schema(schema.name, dialect), schema.name.table)
    return _Planned(table, schema, table_name(table.target) if table.target else default, table.row_key(schema))


def _check_names(request: Precheck, planned: Iterable[_Planned]) -> Iterator[Finding]:
    by_target: dict[TableName, list[TableName]] = defaultdict(list)
    same_database = _same_database(request)
    for plan in planned:
        by_target[plan.target].append(plan.schema.name)
        for name in (plan.target.schema, plan.target.table):
            if len(name) > _NAME_LIMIT:
                yield error(
                    reasons.NAME_TOO_LONG, table=plan.schema.name, name=name, length=len(name), limit=_NAME_LIMIT
                )
        if plan.target == plan.schema.name and same_database:
            yield error(reasons.SAME_TABLE, table=plan.schema.name)
    for target, sources in by_target.items():
        if len(sources) > 1:
            yield error(
                reasons.TARGET_DUPLICATE,
                table=sources[0],
                target=target,
                tables=", ".join(str(source) for source in sources),
            )


def _same_database(request: Precheck) -> bool:
    source, target = request.source, request.target
    one, other = options_of(source), options_of(target)
    if source.kind != target.kind or one.address != other.address:
        return False
    return bool(one.title == other.title) or spec_of(source.kind).capabilities.schemas == "database"


def _check_capture(request: Precheck, planned: Iterable[_Planned], connectors: Connectors) -> Iterator[Finding]:
    """Tables that the source refuses to capture. A missing key is another check's finding."""
    identified = [plan for plan in planned if plan.key or plan.table.append_only]
    keyed = [plan for plan in identified if set(plan.key) <= set(plan.schema.names)]
    captured = [CapturedTable(plan.schema.name, plan.key) for plan in keyed]
    source = connectors(request.source.kind).source(options_of(request.source))
    for refused in source.refusals(captured, [plan.schema for plan in keyed]):
        facts = dict(reason_of(refused).facts)
        remedy = facts.pop("remedy", "")
        yield error(refused.code, remedy=remedy, **facts)


def _check_mapping(plan: _Planned, target: Target) -> Iterator[Finding]:
    if plan.mapped is None:
        return
    mapped = {column.source for column in plan.mapped.columns}
    for note in target.map_columns(plan.result, plan.key):
        if not note.note or note.column not in mapped:
            continue
        facts = mapping_reason(note).facts
        level = error if note.blocking else info
        yield level(note.note, **{"table": str(plan.schema.name), **facts})


def _check_declared(request: Precheck, plan: _Planned, session: TargetSession) -> Iterator[Finding]:
    clean = CleanMode.NONE if request.load is LoadMode.INCREMENTAL else request.clean
    if reason := refusal(session, plan.target, clean):
        yield error(TableRefused.code, table=plan.target, column="", reason=reason)


def _check_target(request: Precheck, plan: _Planned, existing: TableSchema | None) -> list[Finding]:
    if existing is None or plan.mapped is None:
        return []
    return check_existing_target(plan.mapped, plan.table.transform.exact_names, existing, request.clean, request.load)


def _check_exact_keys(
    request: Precheck, plan: _Planned, existing: TableSchema | None, session: TargetSession
) -> Iterator[Finding]:
    made_again = request.load is not LoadMode.INCREMENTAL and request.clean is CleanMode.DROP
    if existing is None or plan.mapped is None or made_again:
        return
    for found in session.inexact_keys(plan.mapped):
        yield error(
            reasons.TARGET_KEY_INEXACT,
            remedy=found.remedy,
            table=plan.schema.name,
            target=existing.name,
            column=found.column,
            collation=found.collation,
            statement=found.remedy,
        )
