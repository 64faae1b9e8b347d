"""Requests and answers about moving tables between the channels of a master."""

from typing import Annotated, Literal

from pydantic import Field

from zcbus.control.features.subscribe.schemas import Id, MasterChoice
from zcbus.control.features.subscribe.sheet_schemas import MAX_TABLES, SheetChoice
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.schema import Schema
from zcbus.model.states import ServiceState, SyncState

RebalanceMode = Literal["full", "incremental"]


class TransferRequest(SheetChoice):
    """Tables that are to go to another channel of their master."""

    channel_id: Id


class RebalanceRequest(MasterChoice):
    """`full`: tables that are not loaded yet are spread by the rows that they still have to load; `incremental`: those
    that apply changes, by the changes that they have applied. `lower`, `upper`: limits of each channel's load, in
    percent of the mean."""

    mode: RebalanceMode
    lower: int = Field(80, ge=0, le=100)
    upper: int = Field(120, ge=100, le=10_000)


class MoveChoice(Schema):
    """One move as it was shown. `fromChannelId`: where the table was then."""

    table: Id
    from_channel_id: Id
    channel_id: Id


class RebalanceOrder(MasterChoice):
    """The moves of a preview."""

    moves: Annotated[list[MoveChoice], Field(min_length=1, max_length=MAX_TABLES)]


class PlannedMove(Schema):
    """A table that would move. `load`: rows to load, or changes applied."""

    id: str
    table: str
    target: str
    state: SyncState
    from_channel_id: str
    from_channel_name: str
    channel_id: str
    channel_name: str
    load: int


class ChannelLoad(Schema):
    """A channel before and after. `running`: it is to run; a rebalance leaves the others alone, and tables that are
    moved to one stop."""

    id: str
    name: str
    state: ServiceState
    running: bool
    tables_before: int
    tables_after: int
    load_before: int
    load_after: int


class TransferPlan(Schema):
    """Planned moves, impossible ones, and the channels' loads afterwards. `reached`: every load is between the
    limits."""

    moves: list[PlannedMove]
    refused: list[TableResult]
    channels: list[ChannelLoad]
    reached: bool
