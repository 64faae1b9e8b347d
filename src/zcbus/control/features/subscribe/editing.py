"""Changes of a subscribed table's settings. Asks an agent beforehand, so nothing here may be called inside a
transaction."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.subscribe import lookup, service, steering, table_repository, tables
from zcbus.control.features.subscribe.addition import ask_precheck, spell
from zcbus.control.features.subscribe.client_types import refuse_settings
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.features.subscribe.errors import (
    SettingsRefusedError,
    SubscriptionRunsError,
    TargetSchemaLengthError,
    TargetTableLengthError,
    TargetTakenError,
)
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.control.features.subscribe.sheet import find_row
from zcbus.control.features.subscribe.sheet_schemas import SheetEdit
from zcbus.control.platform.call import Call
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.table_verbs import SUBSCRIBED, TableVerb
from zcbus.protocol.base import TableRef

Change = Callable[[TableSettings], TableSettings]


def edit(call: Call, request: SheetEdit) -> Row[Any]:
    """Change a table's settings; returns its previous row. Raises TargetNameLengthError, and as change_settings."""
    names = ((request.target_schema, TargetSchemaLengthError), (request.target_table, TargetTableLengthError))
    for name, error in names:
        if len(name) > MAX_TARGET_NAME_LENGTH:
            raise error(name=name, limit=MAX_TARGET_NAME_LENGTH)
    return change_settings(call, request.table, lambda before: _edited(before, request))


def change_settings(call: Call, table: str, change: Change) -> Row[Any]:
    """Change a table's settings once an agent has found no error; returns its previous row. Other rows, columns or
    targets begin with a new full load. Raises SubscriptionRunsError, SettingsRefusedError, TargetTakenError,
    SubscriberOfLinkError, TablesWithoutRulesError, and what `change` does: then nothing is changed."""
    with call.services.database.read() as store:
        row = refuse_of_link(find_row(store, call.principal, table))
        master = lookup.find_master(store, call.principal, row.master_id)
    before = service.settings_of(row)
    settings = change(before)
    refuse_settings(row, settings.transform)
    if service.needs_reload(before, settings):
        _check(call, master, row, settings)
    with call.services.database.write() as store:
        row = refuse_of_link(find_row(store, call.principal, table))
        settings = change(service.settings_of(row))
        refuse_settings(row, settings.transform)
        _store(store, master, row, settings)
    return row


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
    _refuse_running(row)
    ref = TableRef(schema_name=row.source_schema, table=row.source_table)
    for finding in ask_precheck(call, master, {ref: settings}, settings.load):
        if finding.level == "error":
            text = ReasonTexts.of(call).text(finding.reason.code, finding.reason.facts)
            raise SettingsRefusedError(table=spell(ref), first=text)


def _refuse_running(row: Row[Any]) -> None:
    # A table that may be reset may start again with other settings.
    if not SUBSCRIBED[TableVerb.RESET].allows(tables.facts_of(row)):
        table = f"{row.source_schema}.{row.source_table}"
        raise SubscriptionRunsError(table=table, state=row.current_state)


def _store(store: StoreConnection, master: Row[Any], row: Row[Any], settings: TableSettings) -> None:
    before = service.settings_of(row)
    reloads = service.needs_reload(before, settings)
    if reloads:
        _refuse_running(row)
    if settings.target != before.target:
        target = (settings.target.schema_name, settings.target.table)
        if target in table_repository.select_targets(store, master.target_id):
            raise TargetTakenError(target=spell(settings.target))
    service.change_tables(store, {row.id: (settings, row.generation)})
    if reloads:
        steering.start_generation(store, [row], None, suspended=row.suspended)
    steering.notify_agents(store, [row])
