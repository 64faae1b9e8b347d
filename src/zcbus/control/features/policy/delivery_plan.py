"""Plan of a delivery: the changes that a version makes at the customer's master.

Nothing here writes. The pre-check asks an agent, so nothing may be called inside a transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.policy import repository
from zcbus.control.features.policy.contents import PolicyContents, PolicyTable
from zcbus.control.features.policy.errors import DeliveredElsewhereError, MasterOfAnotherNodeError
from zcbus.control.features.subscribe import lookup, master_lookup, service, unbound
from zcbus.control.features.subscribe.addition import ask_precheck, target_schemas
from zcbus.control.features.subscribe.client_types import lacks_rules
from zcbus.control.features.subscribe.etl_schemas import with_rules
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH, MasterSettings
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.control.features.subscribe.settings_change import Consequence, SettingsChange, change_of, consequence_of
from zcbus.control.features.sync_link.planning import finding_records, spell
from zcbus.control.features.sync_link.schemas import FindingRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.states import LoadMode
from zcbus.protocol.base import TableRef
from zcbus.protocol.transforms import NameRule, Transform

_MERGED = "target-exists"
"""The pre-check's code for an existing target table that is not cleaned."""


class TableAction(StrEnum):
    """Action of a delivery on a customer's table."""

    ADD = "add"
    """Subscribe it: its structure is created, its rows are loaded, its changes follow."""
    RESUME = "resume"
    """Subscribe it again where it stood."""
    CHANGE = "change"
    """Change settings that affect later changes only; the table runs on."""
    RELOAD = "reload"
    """Change settings that affect its rows: it is loaded again, and resumes from there."""
    REMOVE = "remove"
    """Subscribe it no longer; the target's data stays."""
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """One table. `published`, `stored`: its rows, if present (`stored` of `views.tables`). `settings`: None for a
    removal of a stored table. `kept`: the position of an unbound table (`unbound.find`). `adopted`: it was subscribed
    by hand, and the delivery takes it over. `checked`: the pre-check includes it."""

    source: TableRef
    action: TableAction
    settings: TableSettings | None
    published: Row[Any] | None = None
    stored: Row[Any] | None = None
    kept: Row[Any] | None = None
    adopted: bool = False
    checked: bool = False

    @property
    def change(self) -> SettingsChange | None:
        """The change of a stored table's settings."""
        if self.stored is None or self.settings is None:
            return None
        return change_of(self.stored, self.settings)

    @property
    def is_exchanged(self) -> bool:
        """Whether its new load uses a shadow table, so that readers always see complete data."""
        return self.change is not None and self.change.uses_shadow_table

    @property
    def target(self) -> TableRef:
        """Where it goes, or went."""
        if self.settings is not None:
            return self.settings.target
        if self.stored is None:
            return self.source
        return TableRef(schema_name=self.stored.target_schema, table=self.stored.target_table)


@dataclass(frozen=True, slots=True)
class DeliveryPlan:
    """For one master. `findings`: of the pre-check and of this plan, errors first; one error refuses the delivery."""

    master: Row[Any]
    delivery: Row[Any] | None
    channel_id: str | None
    seen: Mapping[str, tuple[Any, ...]]
    """The plan's assumptions about the master's subscribed tables (`facts_of`), by id."""
    taken: frozenset[tuple[str, str]]
    """Targets that were replicated into when the plan was made."""
    tables: Sequence[PlannedTable] = ()
    findings: Sequence[FindingRecord] = field(default_factory=list)

    @property
    def errors(self) -> list[FindingRecord]:
        return [finding for finding in self.findings if finding.level == "error"]

    def of(self, *actions: TableAction) -> list[PlannedTable]:
        """Tables to which one of these is done."""
        return [table for table in self.tables if table.action in actions]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a policy goes. `channel_id`: further tables go there; None: to the channel that has the fewest."""

    master_id: str
    channel_id: str | None


@dataclass(frozen=True, slots=True)
class _Known:
    """Stored rows of both sides."""

    master: Row[Any]
    delivery: Row[Any] | None
    published: Mapping[str, Row[Any]]
    stored: Mapping[str, Row[Any]]
    kept: Mapping[str, Row[Any]]
    holders: Mapping[str, str]
    taken: frozenset[tuple[str, str]]


def make_plan(
    call: Call, principal: Principal, policy: Row[Any], contents: PolicyContents, target: Target
) -> DeliveryPlan:
    """The changes that the contents of a policy make at a master. `principal`: the caller with the rights on customers.

    Raises RecordNotFoundError, SubscriberOfLinkError, MasterOfAnotherNodeError, DeliveredElsewhereError, and what
    asking an agent raises.
    """
    with call.services.database.read() as store:
        known = _read_known(call, store, principal, policy, contents, target)
    channel_id = target.channel_id or (known.delivery.channel_id if known.delivery is not None else None)
    wanted, faults = _wanted(call, known, contents)
    tables = [*(_planned(known, source, settings) for source, settings in wanted.items()), *_removed(known, contents)]
    faults += _conflicts(known, tables)
    findings = [_finding(call, code, source) for code, source in faults]
    findings += _precheck(call, known.master, tables) if not findings else []
    seen = {row.id: facts_of(row, known.holders) for row in known.stored.values()}
    return DeliveryPlan(known.master, known.delivery, channel_id, seen, known.taken, tables, findings)


def facts_of(row: Row[Any], holders: Mapping[str, str]) -> tuple[Any, ...]:
    """A plan's assumptions about a row of `views.tables`. `holders`: of `repository.holders`."""
    settings = service.settings_of(row)
    return row.generation, row.published_generation, row.suspended, row.moves, settings, holders.get(row.id)


def _read_known(
    call: Call,
    store: StoreConnection,
    principal: Principal,
    policy: Row[Any],
    contents: PolicyContents,
    target: Target,
) -> _Known:
    master = master_lookup.own_master(store, principal, target.master_id)
    if master.node_id != policy.node_id:
        raise MasterOfAnotherNodeError(master=master.name, node=policy.node_name or "-")
    if target.channel_id is not None:
        master_lookup.check_channel(store, principal, master.id, target.channel_id)
    delivery = repository.delivery_of(store, policy.id, master.customer_id)
    if delivery is not None and delivery.version is not None and delivery.master_id != master.id:
        other = lookup.find_master(store, principal, delivery.master_id)
        raise DeliveredElsewhereError(customer=master.customer_name, master=other.name)
    published = master_lookup.published_for(store, master)
    stored = master_lookup.subscribed_at(store, master.id)
    ids = [row.id for row in published]
    return _Known(
        master=master,
        delivery=delivery,
        published={spell(_ref(row)): row for row in published},
        stored={f"{row.source_schema}.{row.source_table}": row for row in stored},
        # At any channel: a table that resumes needs no load, and a named channel takes further ones.
        kept=unbound.find(store, master.id, ids, None, call.services.clock.now()),
        holders=repository.holders(store, master.id),
        taken=master_lookup.taken_targets(store, master),
    )


def _wanted(
    call: Call, known: _Known, contents: PolicyContents
) -> tuple[dict[TableRef, TableSettings], list[tuple[str, TableRef]]]:
    """The settings of each table of the contents, and the code of each refused one's text."""
    given = MasterSettings.model_validate(known.master.settings)
    if contents.target_schema:
        given = given.model_copy(update={"schema_name": contents.target_schema})
    rows = [known.published[table.name] for table in contents.tables if table.name in known.published]
    schemas = target_schemas(call, known.master, given, rows)
    wanted, faults = dict[TableRef, TableSettings](), list[tuple[str, TableRef]]()
    for table in contents.tables:
        source = TableRef(schema_name=table.source.schema_name, table=table.source.table)
        row = known.published.get(table.name)
        if row is None:
            faults.append(("sheet-not-published", source))
        elif row.schema_name not in schemas and not table.target_schema:
            faults.append(("sheet-not-in-source", source))
        else:
            settings = _settings(contents, table, row, given, schemas.get(row.schema_name, ""))
            fault = _fault(known.master, settings)
            faults += [(fault, source)] if fault else []
            wanted[source] = settings
    return wanted, faults


def _settings(
    contents: PolicyContents, table: PolicyTable, row: Row[Any], given: MasterSettings, schema: str
) -> TableSettings:
    names = NameRule(case=given.name_case, prefix=given.prefix, suffix=given.suffix)
    if contents.table_names is not None:
        names = contents.table_names.rule()
    columns = contents.column_names.rule() if contents.column_names is not None else NameRule(case=given.name_case)
    transform = Transform(
        where=table.where or "",
        target_where=table.target_where or "",
        names=columns,
        exact_names=given.column_case == 1,
    )
    return TableSettings(
        target=TableRef(
            schema_name=table.target_schema or schema, table=table.target_table or names.apply(row.table_name)
        ),
        columns=tuple((name, columns.apply(name)) for name in table.columns),
        key=tuple(row.key_columns),
        append_only=row.append_only,
        load=contents.load,
        clean=contents.clean,
        ddl=table.ddl or contents.ddl,
        indexes=contents.indexes,
        transform=with_rules(transform, table.rules),
    )


def _fault(master: Row[Any], settings: TableSettings) -> str | None:
    names = (settings.target.schema_name, settings.target.table)
    if not all(0 < len(name) <= MAX_TARGET_NAME_LENGTH for name in names):
        return "sheet-target-name"
    return "sheet-no-rules" if lacks_rules(master.client_type, settings.transform) else None


def _planned(known: _Known, source: TableRef, settings: TableSettings) -> PlannedTable:
    name = spell(source)
    published, stored = known.published[name], known.stored.get(name)
    if stored is None:
        kept = known.kept.get(published.id)
        before = _settings_kept(kept) if kept is not None else None
        moved = before is not None and before.target != settings.target
        consequence = consequence_of(before, settings) if before is not None else Consequence.RELOAD
        if moved or consequence is Consequence.RELOAD:
            return PlannedTable(source, TableAction.ADD, settings, published, checked=True)
        checked = consequence is not Consequence.NONE
        return PlannedTable(source, TableAction.RESUME, settings, published, kept=kept, checked=checked)
    change = change_of(stored, settings)
    adopted = stored.id not in known.holders
    return PlannedTable(
        source, _action(change), settings, published, stored, adopted=adopted, checked=change.changes_rows
    )


def _action(change: SettingsChange) -> TableAction:
    if change.before == change.after:
        return TableAction.KEEP
    return TableAction.RELOAD if change.consequence is Consequence.RELOAD else TableAction.CHANGE


def _settings_kept(kept: Row[Any]) -> TableSettings:
    """Of an unbound table; columns that are younger than the row have their usual values."""
    stored = kept.settings
    return TableSettings(
        target=TableRef(schema_name=stored["target_schema"], table=stored["target_table"]),
        columns=tuple((source, target) for source, target in stored["columns"]),
        key=tuple(stored["key_columns"]),
        load=LoadMode(stored["load_mode"]),
        clean=stored["clean_mode"],
        ddl=stored["ddl_mode"],
        indexes=stored.get("indexes", False),
        transform=Transform.model_validate(stored.get("transform") or {}),
        append_only=stored.get("append_only", False),
    )


def _removed(known: _Known, contents: PolicyContents) -> list[PlannedTable]:
    """Tables that the delivery holds and the contents no longer have."""
    if known.delivery is None:
        return []
    names = {table.name for table in contents.tables}
    return [
        PlannedTable(
            TableRef(schema_name=row.source_schema, table=row.source_table),
            TableAction.REMOVE,
            None,
            stored=row,
        )
        for name, row in known.stored.items()
        if name not in names and known.holders.get(row.id) == known.delivery.id
    ]


def _conflicts(known: _Known, tables: Sequence[PlannedTable]) -> list[tuple[str, TableRef]]:
    """Tables of another policy, taken or repeated targets, and changes of targets that need a load."""
    own = known.delivery.id if known.delivery is not None else None
    freed = {_target(one.stored) for one in tables if one.stored is not None}
    faults, meant = list[tuple[str, TableRef]](), set[tuple[str, str]]()
    for one in tables:
        if one.stored is not None and known.holders.get(one.stored.id) not in (None, own):
            faults.append(("policy-table-of-another", one.source))
        if one.settings is None:
            continue
        if one.change is not None and one.change.needs_load:
            faults.append(("table-needs-load", one.source))
        target = (one.settings.target.schema_name, one.settings.target.table)
        if target in meant or (target in known.taken and target not in freed):
            faults.append(("sheet-target-taken", one.source))
        meant.add(target)
    return faults


def _precheck(call: Call, master: Row[Any], tables: Sequence[PlannedTable]) -> list[FindingRecord]:
    """Tables that are loaded, begin with the changes, or run on with other rows or columns."""
    wanted = {one.source: one.settings for one in tables if one.settings is not None and one.checked}
    if not wanted:
        return []
    load = next(iter(wanted.values())).load
    exchanged = {spell(one.source) for one in tables if one.is_exchanged}
    findings = finding_records(ask_precheck(call, master, wanted, load), ReasonTexts.of(call))
    return [one for one in findings if not (one.code == _MERGED and one.table in exchanged)]


def _finding(call: Call, code: str, source: TableRef) -> FindingRecord:
    texts = ReasonTexts.of(call)
    text = texts.text(code, {})
    return FindingRecord(
        level="error", table=spell(source), column="", code=code, text=text, remedy=texts.remedy(code, {}), advice=""
    )


def _target(row: Row[Any]) -> tuple[str, str]:
    return row.target_schema, row.target_table


def _ref(row: Row[Any]) -> TableRef:
    return TableRef(schema_name=row.schema_name, table=row.table_name)
