"""Questions about computations, and their answers."""

from typing import Literal

from zcbus.protocol.base import Connection, Message, Reason, TableRef
from zcbus.protocol.tasks import ComputationInput


class CheckComputation(Message):
    """Whether a SELECT can be kept up to date in a table. Nothing is computed. Answer: ComputationCheck."""

    type: Literal["check-computation"] = "check-computation"
    inputs: tuple[ComputationInput, ...]
    sql: str
    key: tuple[str, ...]
    """(): only the columns are wanted."""
    target: Connection
    table: TableRef


class ResultColumn(Message):
    """A column of a result; `type` as the target declares it."""

    name: str
    type: str


class ComputationCheck(Message):
    """`exists`: the target table is there already, and its rows will be replaced."""

    columns: tuple[ResultColumn, ...] = ()
    reason: Reason | None = None
    """Why it cannot be; None: it can."""
    exists: bool = False


class DropComputation(Message):
    """Remove what a deleted computation left besides its target table. Answer: Done."""

    type: Literal["drop-computation"] = "drop-computation"
    service: str
    computation: str
    target: Connection
