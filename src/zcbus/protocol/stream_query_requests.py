"""Requests about stream queries, and their answers."""

from typing import Literal

from zcbus.protocol.base import Connection, Message, Reason, TableRef
from zcbus.protocol.tasks import StreamQueryInput


class CheckStreamQuery(Message):
    """Check whether a SELECT can be maintained in a table, without computing it. Answer: StreamQueryCheck."""

    type: Literal["check-computation"] = "check-computation"
    inputs: tuple[StreamQueryInput, ...]
    sql: str
    key: tuple[str, ...]
    """Key columns; (): only the result's columns are requested."""
    target: Connection
    table: TableRef


class ResultColumn(Message):
    """A column of the result; `type` as the target declares it."""

    name: str
    type: str


class StreamQueryCheck(Message):
    """Result of the check. `exists`: the target table exists, and its rows will be replaced."""

    columns: tuple[ResultColumn, ...] = ()
    reason: Reason | None = None
    """Why the SELECT is impossible; None: it is possible."""
    exists: bool = False


class DropStreamQuery(Message):
    """Remove a deleted stream query's data, except its target table. Answer: Done."""

    type: Literal["drop-computation"] = "drop-computation"
    service: str
    computation: str
    target: Connection
