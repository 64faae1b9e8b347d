"""Start of incremental subscription at a position, found by time or by record number."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field, model_validator
from sqlalchemy import Connection, Row

from zcbus.control.features.subscribe.steering import notify_agents, start_generation
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema
from zcbus.control.platform.services import Services
from zcbus.kit.clock import moment
from zcbus.protocol.answers import StartPosition
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import ResolveStart
from zcbus.protocol.tasks import Begin


class StartChoice(Schema):
    """Start of incremental subscription: with changes committed at a moment or later, or with a record of the node's
    changes. Exactly one of both."""

    time: datetime | None = None
    offset: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _check_choice(self) -> "StartChoice":
        if (self.time is None) == (self.offset is None):
            raise field_fault("time-or-offset")
        if self.time is not None and self.time.tzinfo is None:
            raise field_fault("zone")
        return self


class TableStartRecord(Schema):
    """A table's pending changes behind a position: how many were counted, and when the first was committed."""

    source: str
    changes: int
    first_change_at: datetime | None


class IncrementalPositionRecord(Schema):
    """A position that was found. `offset`: the first record to apply; `firstOffset`, `nextOffset`: the available range;
    `complete`: every change behind the position was counted."""

    offset: int
    first_offset: int
    next_offset: int
    complete: bool
    tables: list[TableStartRecord]


def find_start(
    services: Services, destination: Destination, rows: Sequence[Row[Any]], choice: StartChoice
) -> StartPosition:
    """Find the position where changes of tables of one node begin. Asks an agent: not to be called inside a
    transaction."""
    question = ResolveStart(
        node=rows[0].node_id,
        tables=tuple(TableRef(schema_name=row.source_schema, table=row.source_table) for row in rows),
        at_ms=int(choice.time.timestamp() * 1000) if choice.time is not None else None,
        offset=choice.offset,
    )
    return ask(services, destination, question, StartPosition)


def position_record(start: StartPosition) -> IncrementalPositionRecord:
    """A position as the console shows it."""
    return IncrementalPositionRecord(
        offset=start.offset,
        first_offset=start.first_offset,
        next_offset=start.next_offset,
        complete=start.counted_to >= start.next_offset,
        tables=[
            TableStartRecord(
                source=f"{one.table.schema_name}.{one.table.table}",
                changes=one.changes,
                first_change_at=moment(one.first_change_ms),
            )
            for one in start.tables
        ],
    )


def start_at(connection: Connection, rows: Sequence[Row[Any]], start: StartPosition, *, suspended: bool) -> None:
    """Start tables with the changes from a position on; `suspended`: only when they are resumed."""
    begin = Begin(mode="incremental", offset=start.offset, record_time=start.record_time)
    start_generation(connection, rows, begin, suspended=suspended)
    notify_agents(connection, rows)
