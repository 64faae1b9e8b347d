"""Channel transfer and rebalance: tables move between channels of their master, running or not.

Only the channel is changed here. The new channel's process takes over where the old one released the table, or stopped;
see `engine.subscribe.takeover`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, select

from zcbus.control.features.subscribe import lookup, sheet, tables, views
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.features.table_command.balance import Weighed, balance
from zcbus.control.features.table_command.command import Chosen, examine, order, results_of
from zcbus.control.features.table_command.parameters import Move, Moves
from zcbus.control.features.table_command.transfer_schemas import (
    ChannelLoad,
    PlannedMove,
    RebalanceMode,
    RebalanceOrder,
    RebalanceRequest,
    TransferPlan,
    TransferRequest,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.model.states import DesiredState, SyncState
from zcbus.model.table_verbs import TableVerb

_LOADING = (SyncState.UNINITIALIZED, SyncState.FULL_ALLOWED, SyncState.FULL_RUNNING)
_APPLYING = (SyncState.INCREMENTAL_ALLOWED, SyncState.INCREMENTAL_RUNNING)


def preview_transfer(call: Call, request: TransferRequest) -> TransferPlan:
    """Preview of `transfer`."""
    channel = _target(call, request.channel_id)
    channels = lookup.channels_of_master(call.connection, call.principal, channel.master_id)
    chosen = _chosen(call, request.tables)
    examined = examine(call.principal, TableVerb.TRANSFER, chosen, _to_channel(channel, request))
    refused = [one for one in results_of(call, TableVerb.TRANSFER, chosen, examined) if not one.done]
    moves = {row.id: channel.id for row in examined.taken}
    return _plan(_tables_of(call, channel.master_id), channels, moves, "incremental", refused)


def transfer(call: Call, request: TransferRequest) -> list[TableResult]:
    """Move tables to another channel. Answers a result per table."""
    channel = _target(call, request.channel_id)
    chosen = _chosen(call, request.tables)
    return order(call, call.connection, TableVerb.TRANSFER, chosen, _to_channel(channel, request))


def preview_rebalance(call: Call, request: RebalanceRequest) -> TransferPlan:
    """Which tables of a master would move so that its running channels have about the same to do."""
    master = refuse_of_link(lookup.find_master(call.connection, call.principal, request.control_id))
    channels = lookup.channels_of_master(call.connection, call.principal, master.id)
    running = [channel.id for channel in channels if channel.desired == DesiredState.RUNNING]
    rows = _tables_of(call, master.id)
    weighed = [
        # A table of which nothing is known yet is work all the same.
        Weighed(row.id, row.channel_id, 1 + _load(row, request.mode))
        for row in rows
        if row.channel_id in running and _takes_part(row, request.mode)
    ]
    planned = balance(weighed, running, request.lower, request.upper)
    plan = _plan(rows, channels, planned.moves, request.mode, [])
    return plan.model_copy(update={"reached": planned.reached})


def rebalance(call: Call, request: RebalanceOrder) -> list[TableResult]:
    """Make the moves of a preview. A table that was moved since stays where it is."""
    master = refuse_of_link(lookup.find_master(call.connection, call.principal, request.control_id))
    channels = {row.id: row for row in lookup.channels_of_master(call.connection, call.principal, master.id)}
    by_table = {
        move.table: Move(channels.get(move.channel_id), from_channel=move.from_channel_id) for move in request.moves
    }
    moves = [[move.table, move.from_channel_id, move.channel_id] for move in request.moves]
    parameters = Moves(master.id, by_table, {"moves": moves})
    return order(call, call.connection, TableVerb.REBALANCE, _chosen(call, list(by_table)), parameters)


def _chosen(call: Call, ids: Sequence[str]) -> Chosen:
    return Chosen.by_id(sheet.rows_of(call.connection, call.principal, ids), ids)


def _to_channel(channel: Row[Any], request: TransferRequest) -> Moves:
    return Moves(channel.master_id, dict.fromkeys(request.tables, Move(channel)), {"channel": channel.id})


def _target(call: Call, channel_id: str) -> Row[Any]:
    return refuse_of_link(lookup.find_channel(call.connection, call.principal, channel_id))


# A plan reads all tables of a master; columns that it does not need would take the longest.
_PLANNED = (
    *("id", "source_schema", "source_table", "target_schema", "target_table", "channel_id", "channel_name"),
    *("current_state", "loads", "generation", "reported_generation"),
    *("rows_total", "publish_rows_total", "rows_loaded", "inserts", "updates", "deletes"),
)


def _tables_of(call: Call, master_id: str) -> Sequence[Row[Any]]:
    table = views.tables()
    query = select(*(table.c[name] for name in _PLANNED)).where(table.c.master_id == master_id)
    return call.connection.execute(query.order_by(table.c.source_schema, table.c.source_table, table.c.id)).all()


def _takes_part(row: Row[Any], mode: RebalanceMode) -> bool:
    return row.current_state in (_LOADING if mode == "full" else _APPLYING)


def _load(row: Row[Any], mode: RebalanceMode) -> int:
    if not _takes_part(row, mode):
        return 0
    if mode == "full":
        return max(0, (tables.rows_total(row) or 0) - tables.rows_loaded(row))
    return int(row.inserts + row.updates + row.deletes)


def _plan(
    rows: Sequence[Row[Any]],
    channels: Sequence[Row[Any]],
    moves: Mapping[str, str],
    mode: RebalanceMode,
    refused: list[TableResult],
) -> TransferPlan:
    names = {channel.id: channel.name for channel in channels}
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("tables", "load", "tables after", "load after")}
    planned = []
    for row in rows:
        load, new_channel = _load(row, mode), moves.get(row.id, row.channel_id)
        for channel_id, when in ((row.channel_id, ""), (new_channel, " after")):
            counts[f"tables{when}"][channel_id] += 1
            counts[f"load{when}"][channel_id] += load
        if new_channel != row.channel_id:
            planned.append(_planned(row, new_channel, names, load))
    return TransferPlan(
        moves=planned,
        refused=refused,
        channels=[
            ChannelLoad(
                id=channel.id,
                name=channel.name,
                state=channel.current_state,
                running=channel.desired == DesiredState.RUNNING,
                tables_before=counts["tables"][channel.id],
                tables_after=counts["tables after"][channel.id],
                load_before=counts["load"][channel.id],
                load_after=counts["load after"][channel.id],
            )
            for channel in channels
        ],
        reached=True,
    )


def _planned(row: Row[Any], new_channel: str, names: Mapping[str, str], load: int) -> PlannedMove:
    return PlannedMove(
        id=row.id,
        table=f"{row.source_schema}.{row.source_table}",
        target=f"{row.target_schema}.{row.target_table}",
        state=SyncState(row.current_state),
        from_channel_id=row.channel_id,
        from_channel_name=row.channel_name,
        channel_id=new_channel,
        channel_name=names[new_channel],
        load=load,
    )
