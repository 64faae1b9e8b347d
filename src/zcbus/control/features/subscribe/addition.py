"""Subscription of further tables at a master's channels. Asks agents beforehand, so nothing here may be called inside a
transaction."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import lookup, service, table_repository, unbound
from zcbus.control.features.subscribe.client_types import lacks_rules
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.features.subscribe.etl_schemas import with_rules
from zcbus.control.features.subscribe.masters import destination_of
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH, MasterSettings
from zcbus.control.features.subscribe.service import NewSubscription, TableSettings
from zcbus.control.features.subscribe.sheet_schemas import SheetAddition
from zcbus.control.platform.agent_requests import AgentAnsweredError, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.states import LoadMode, PublishState
from zcbus.protocol.answers import Finding, Findings, Resolved, StartPosition
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import Precheck, ResolveStart, ResolveTables
from zcbus.protocol.tasks import Begin
from zcbus.protocol.transforms import NameRule, Transform


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A published table with the settings that it would be subscribed with."""

    row: Row[Any]
    settings: TableSettings


def add(call: Call, request: SheetAddition) -> list[TableResult]:
    """Subscribe published tables. Answers a result per table."""
    master, rows = _read(call, request)
    given = MasterSettings.model_validate(master.settings)
    transform = _transform(given, request)
    if lacks_rules(master.client_type, transform):
        refused = {row.id: "sheet-no-rules" for row in rows}
        return [*_results(call, rows, {}, refused), *_missing(call, request.tables, rows)]
    resumable = _resumable(call, request)
    candidates, refused = _plan(call, master, given, [row for row in rows if row.id not in resumable], transform)
    findings = _precheck(call, master, candidates, given)
    refused |= _errors(findings, candidates, ReasonTexts.of(call))
    begin = None if given.start_full else current_position(call, master)
    added = _store(call, request, [one for one in candidates if one.row.id not in refused], begin, refused)
    return [*_results(call, rows, added, refused), *_missing(call, request.tables, rows)]


def _read(call: Call, request: SheetAddition) -> tuple[Row[Any], Sequence[Row[Any]]]:
    with call.services.database.read() as store:
        master = refuse_of_link(lookup.find_master(store, call.principal, request.control_id))
        return master, table_repository.select_published(store, master.node_id, request.tables)


def _resumable(call: Call, request: SheetAddition) -> Mapping[str, Row[Any]]:
    """Kept positions at which tables resume, by published table."""
    if not request.go_on:
        return {}
    now = call.services.clock.now()
    with call.services.database.read() as store:
        return unbound.find(store, request.control_id, request.tables, request.channel_id, now)


def _plan(
    call: Call, master: Row[Any], given: MasterSettings, rows: Sequence[Row[Any]], transform: Transform
) -> tuple[list[_Candidate], dict[str, str]]:
    """Where tables would go, and why some can't (the text's key, by published table)."""
    schemas = target_schemas(call, master, given, rows)
    candidates, refused = [], dict[str, str]()
    for row in rows:
        if row.schema_name not in schemas:
            refused[row.id] = "sheet-not-in-source"
            continue
        settings = _settings(given, schemas[row.schema_name], row, transform)
        if not (
            0 < len(settings.target.schema_name) <= MAX_TARGET_NAME_LENGTH
            and 0 < len(settings.target.table) <= MAX_TARGET_NAME_LENGTH
        ):
            refused[row.id] = "sheet-target-name"
            continue
        candidates.append(_Candidate(row, settings))
    return candidates, refused


def target_schemas(call: Call, master: Row[Any], given: MasterSettings, rows: Sequence[Row[Any]]) -> Mapping[str, str]:
    """The target's schema for each of the source's that these published tables have. May ask an agent."""
    names = sorted({row.schema_name for row in rows})
    if given.schema_name:
        return dict.fromkeys(names, given.schema_name)
    if not names:
        return {}
    with call.services.database.read() as store:
        source = connections.open_stored(store, call.services.secrets, master.source_id)
        target = connections.open_stored(store, call.services.secrets, master.target_id)
    question = ResolveTables(
        source=source,
        target=target,
        patterns=tuple(f"{name}.*" for name in names),
        lenient=True,
    )
    call.progress.step("resolve")
    destination = destination_of(master, call.services)
    resolved = ask(call.services, destination, question, Resolved, progress=call.progress).tables
    rule = NameRule(case=given.name_case)
    return {one.source.schema_name: rule.apply(one.target.schema_name) for one in resolved}


def _transform(given: MasterSettings, request: SheetAddition) -> Transform:
    names = NameRule(case=given.name_case)
    bare = Transform(where=request.where or "", names=names, exact_names=given.column_case == 1)
    return with_rules(bare, request.rules)


def _settings(given: MasterSettings, schema: str, row: Row[Any], transform: Transform) -> TableSettings:
    rule = NameRule(case=given.name_case, prefix=given.prefix, suffix=given.suffix)
    return TableSettings(
        target=TableRef(schema_name=schema, table=rule.apply(row.table_name)),
        columns=(),
        key=tuple(row.key_columns),
        append_only=row.append_only,
        load=LoadMode.BOTH if given.start_full else LoadMode.INCREMENTAL,
        clean=given.clean,
        ddl=given.ddl,
        indexes=True,
        transform=transform,
    )


def _precheck(
    call: Call, master: Row[Any], candidates: Sequence[_Candidate], given: MasterSettings
) -> tuple[Finding, ...]:
    if not candidates:
        return ()
    load = LoadMode.BOTH if given.start_full else LoadMode.INCREMENTAL
    return ask_precheck(call, master, {_ref(one.row): one.settings for one in candidates}, load)


def ask_precheck(
    call: Call, master: Row[Any], settings: Mapping[TableRef, TableSettings], load: LoadMode
) -> tuple[Finding, ...]:
    """An agent's findings about tables with these settings: names, columns, conditions and expressions as the engine
    compiles them, and existing target tables."""
    with call.services.database.read() as store:
        source = connections.open_stored(store, call.services.secrets, master.source_id)
        target = connections.open_stored(store, call.services.secrets, master.target_id)
    planned = (one.planned(table) for table, one in settings.items())
    clean = next(iter(settings.values())).clean
    question = Precheck(source=source, target=target, tables=tuple(planned), load=load, clean=clean)
    call.progress.step("precheck")
    destination = destination_of(master, call.services)
    return ask(call.services, destination, question, Findings, progress=call.progress).findings


def _errors(findings: Iterable[Finding], candidates: Sequence[_Candidate], texts: ReasonTexts) -> dict[str, str]:
    """Errors of the pre-check per table, as text. An error without a table concerns all of them."""
    by_name = {spell(_ref(one.row)): one.row.id for one in candidates}
    refused: dict[str, str] = {}
    for finding in findings:
        if finding.level != "error":
            continue
        text = texts.text(finding.reason.code, finding.reason.facts)
        concerned = [by_name[finding.table]] if finding.table in by_name else list(by_name.values())
        for table_id in concerned:
            refused.setdefault(table_id, text)
    return refused


def current_position(call: Call, master: Row[Any]) -> Begin | None:
    """The position behind all present changes of the node's source; None where the bus does not report it: then its
    retained changes are applied too."""
    now = call.services.clock.now()
    question = ResolveStart(node=master.node_id, tables=(), at_ms=int(now.timestamp() * 1000))
    try:
        start = ask(call.services, destination_of(master, call.services), question, StartPosition)
    except AgentAnsweredError:
        return None
    return Begin(mode="incremental", offset=start.offset, record_time=start.record_time)


def _store(
    call: Call, request: SheetAddition, candidates: Sequence[_Candidate], begin: Begin | None, refused: dict[str, str]
) -> dict[str, str]:
    """Subscribe the candidates that are still possible and add the others to `refused`; returns ids by published
    table."""
    call.progress.step("store", len(candidates), final=True)
    with call.services.database.write() as store:
        master = refuse_of_link(lookup.find_master(store, call.principal, request.control_id))
        channels = _channels(call, store, master, request.channel_id)
        have = table_repository.select_subscribed(store, master.id)
        taken = table_repository.select_targets(store, master.target_id)
        chosen: list[_Candidate] = []
        for one in candidates:
            target = (one.settings.target.schema_name, one.settings.target.table)
            if one.row.id in have:
                refused[one.row.id] = "sheet-subscribed-already"
            elif target in taken:
                refused[one.row.id] = "sheet-target-taken"
            else:
                taken.add(target)
                chosen.append(one)
        added = _resume(call, store, request, have, taken, refused)
        added |= _subscribe(call, store, chosen, channels, begin)
        services = [channel.service_id for channel in lookup.channels_of_master(store, call.principal, master.id)]
        containers.notify_services(store, services)
        containers.notify_container(store, master.container_id)
    return added


def _resume(
    call: Call,
    store: StoreConnection,
    request: SheetAddition,
    have: Collection[str],
    taken: Collection[tuple[str, str]],
    refused: dict[str, str],
) -> dict[str, str]:
    """Resume unbound tables at their positions and add those that cannot to `refused`; returns ids by published
    table."""
    if not request.go_on:
        return {}
    now, resumed = call.services.clock.now(), list[Row[Any]]()
    for table_id, one in unbound.find(store, request.control_id, request.tables, request.channel_id, now).items():
        if table_id in have:
            refused[table_id] = "sheet-subscribed-already"
        elif (one.settings["target_schema"], one.settings["target_table"]) in taken:
            refused[table_id] = "sheet-target-taken"
        else:
            resumed.append(one)
    unbound.restore(store, resumed, now)
    return {one.published_table_id: one.id for one in resumed}


def _channels(call: Call, store: StoreConnection, master: Row[Any], channel_id: str | None) -> Counter[str]:
    """Tables by channel, of those that may take further ones. Raises RecordNotFoundError."""
    channels = lookup.channels_of_master(store, call.principal, master.id)
    found = {row.id: row.tables_total for row in channels if channel_id in (None, row.id)}
    if not found:
        raise RecordNotFoundError(kind="channel", id=channel_id or "-")
    return Counter(found)


def _subscribe(
    call: Call, store: StoreConnection, candidates: Sequence[_Candidate], channels: Counter[str], begin: Begin | None
) -> dict[str, str]:
    fresh = {one.row.id: one.row.generation + 1 for one in candidates if needs_snapshot(one.row, one.settings)}
    new: list[NewSubscription] = []
    for one in candidates:
        channel_id = min(channels, key=lambda name: (channels[name], name))
        channels[channel_id] += 1
        generation = max(1, fresh.get(one.row.id, one.row.generation))
        new.append(NewSubscription(channel_id, one.row.id, one.settings, generation, begin))
    keys = {one.row.id: publish.RowKey.of(one.row) for one in candidates}
    publish.change_tables(store, {table_id: (keys[table_id], number) for table_id, number in fresh.items()})
    service.take_newest_snapshot(store, fresh)
    ids = service.subscribe_tables(store, new, call.services.clock.now())
    return {one.published_id: table_id for one, table_id in zip(new, ids, strict=True)}


def needs_snapshot(row: Row[Any], settings: TableSettings) -> bool:
    """Whether a table with these settings needs a snapshot that the published table lacks. A snapshot that exists or is
    ordered also serves later subscribers."""
    has_snapshot = row.generation > 0 and row.state != PublishState.FULL_TOPIC_EXPIRED
    return settings.load is not LoadMode.INCREMENTAL and not has_snapshot


def _results(
    call: Call, rows: Sequence[Row[Any]], added: Mapping[str, str], refused: Mapping[str, str]
) -> list[TableResult]:
    texts = ReasonTexts.of(call)
    return [
        TableResult(
            id=added.get(row.id, row.id),
            table=spell(_ref(row)),
            done=row.id in added,
            reason="" if row.id in added else _refusal(texts, refused, row.id),
        )
        for row in rows
    ]


def _refusal(texts: ReasonTexts, refused: Mapping[str, str], table_id: str) -> str:
    """Of tables neither added nor refused, another request took the kept position."""
    key = refused.get(table_id, "sheet-subscribed-already")
    return texts.named(key, key)


def _missing(call: Call, asked: Sequence[str], rows: Sequence[Row[Any]]) -> list[TableResult]:
    known = {row.id for row in rows}
    reason = ReasonTexts.of(call).named("sheet-not-published", "")
    return [
        TableResult(id=table_id, table=table_id, done=False, code="sheet-not-published", reason=reason)
        for table_id in dict.fromkeys(asked)
        if table_id not in known
    ]


def _ref(row: Row[Any]) -> TableRef:
    return TableRef(schema_name=row.schema_name, table=row.table_name)


def spell(table: TableRef) -> str:
    """`schema.table`."""
    return f"{table.schema_name}.{table.table}"
