"""Changes of a subscribed table's settings. Asks an agent beforehand, so nothing here may be called inside a
transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.subscribe import lookup, service, steering, table_repository, tables
from zcbus.control.features.subscribe.addition import ask_precheck, spell
from zcbus.control.features.subscribe.client_types import refuse_settings
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.features.subscribe.errors import (
    SettingsRefusedError,
    TableNeedsLoadError,
    TargetSchemaLengthError,
    TargetTableLengthError,
    TargetTakenError,
)
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.control.features.subscribe.settings_change import SettingsChange, change_of, store_changes
from zcbus.control.features.subscribe.sheet import find_row
from zcbus.control.features.subscribe.sheet_schemas import SheetEdit
from zcbus.control.platform.call import Call
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.protocol.base import TableRef

Change = Callable[[TableSettings], TableSettings]


@dataclass(frozen=True, slots=True)
class Edited:
    """A table's row before a change, and the change."""

    row: Row[Any]
    change: SettingsChange


def edit(call: Call, request: SheetEdit) -> Edited:
    """Change a table's settings. Raises TargetNameLengthError, and as change_settings."""
    _check_names(request)
    return change_settings(call, request.table, lambda before: _edited(before, request))


def preview(call: Call, request: SheetEdit) -> SettingsChange:
    """What `edit` would do. Asks no agent. Raises as `edit`, but for what the pre-check finds."""
    _check_names(request)
    row = find_row(call.connection, call.principal, request.table)
    return _change(row, lambda before: _edited(before, request))


def change_settings(call: Call, table: str, change: Change) -> Edited:
    """Change a table's settings once an agent has found no error, whatever its state. Other rows, columns or targets
    begin with a new full load: see `settings_change`. Raises SettingsRefusedError, TargetTakenError,
    SubscriberOfLinkError, TableNeedsLoadError, TablesWithoutRulesError, and what `change` does: then nothing is
    changed."""
    with call.services.database.read() as store:
        row = find_row(store, call.principal, table)
        planned = _change(row, change)
        master = lookup.find_master(store, call.principal, row.master_id)
    if planned.changes_rows:
        _check(call, master, row, planned.after)
    with call.services.database.write() as store:
        row = find_row(store, call.principal, table)
        planned = _change(row, change)
        _store(store, master, row, planned)
    return Edited(row, planned)


def _check_names(request: SheetEdit) -> None:
    names = ((request.target_schema, TargetSchemaLengthError), (request.target_table, TargetTableLengthError))
    for name, error in names:
        if len(name) > MAX_TARGET_NAME_LENGTH:
            raise error(name=name, limit=MAX_TARGET_NAME_LENGTH)


def _change(row: Row[Any], change: Change) -> SettingsChange:
    refuse_of_link(row)
    planned = change_of(row, change(service.settings_of(row)))
    refuse_settings(row, planned.after.transform)
    if planned.refusal(tables.facts_of(row)):
        raise TableNeedsLoadError(table=f"{row.source_schema}.{row.source_table}")
    return planned


def _edited(before: TableSettings, request: SheetEdit) -> TableSettings:
    columns = request.columns
    pairs = columns.items() if isinstance(columns, dict) else ((name, name) for name in columns)
    conditions = {"where": request.where or "", "target_where": request.target_where or ""}
    return replace(
        before,
        target=TableRef(
            schema_name=request.target_schema or before.target.schema_name,
            table=request.target_table or before.target.table,
        ),
        columns=tuple(pairs),
        load=request.load,
        clean=request.clean,
        ddl=request.ddl,
        transform=before.transform.model_copy(update=conditions),
    )


def _check(call: Call, master: Row[Any], row: Row[Any], settings: TableSettings) -> None:
    ref = TableRef(schema_name=row.source_schema, table=row.source_table)
    for finding in ask_precheck(call, master, {ref: settings}, settings.load):
        if finding.level == "error":
            text = ReasonTexts.of(call).text(finding.reason.code, finding.reason.facts)
            raise SettingsRefusedError(table=spell(ref), first=text)


def _store(store: StoreConnection, master: Row[Any], row: Row[Any], change: SettingsChange) -> None:
    if change.after.target != change.before.target:
        target = (change.after.target.schema_name, change.after.target.table)
        if target in table_repository.select_targets(store, master.target_id):
            raise TargetTakenError(target=spell(change.after.target))
    store_changes(store, [change])
    steering.notify_agents(store, [row])
