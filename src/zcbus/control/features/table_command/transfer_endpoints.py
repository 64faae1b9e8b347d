"""Calls that move tables between the channels of a master."""

from zcbus.control.features.subscribe.endpoints import OPERATE
from zcbus.control.features.table_command import channel_transfer as transfer
from zcbus.control.features.table_command.sheet_endpoints import api as api
from zcbus.control.features.table_command.transfer_schemas import (
    RebalanceOrder,
    RebalanceRequest,
    TransferPlan,
    TransferRequest,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult


@api.read("/api/zcbus/subscribe/table/transfer/preview", OPERATE)
def preview_transfer(call: Call, body: TransferRequest) -> TransferPlan:
    """Which tables would move from which channel to which."""
    return transfer.preview_transfer(call, body)


@api.change("/api/zcbus/subscribe/table/transfer", OPERATE)
def transfer_tables(call: Call, body: TransferRequest) -> list[TableResult]:
    """Channel transfer: move tables to another channel of their master, where they resume at their positions. Answers a
    result per table."""
    return transfer.transfer(call, body)


@api.read("/api/zcbus/subscribe/control/rebalance/preview", OPERATE)
def preview_rebalance(call: Call, body: RebalanceRequest) -> TransferPlan:
    """Which tables would move so that every running channel's load lies between the limits."""
    return transfer.preview_rebalance(call, body)


@api.change("/api/zcbus/subscribe/control/rebalance", OPERATE)
def rebalance(call: Call, body: RebalanceOrder) -> list[TableResult]:
    """Make the previewed moves. Answers a result per table."""
    return transfer.rebalance(call, body)
