"""A worker's standard input: its task, changes of it, and its lease. One JSON object a line."""

from typing import Annotated, Literal

from pydantic import Field

from zcbus.protocol.base import Message
from zcbus.protocol.service_kinds import AnyTableTask, AnyTask


class WorkerLease(Message):
    """How long a worker may go on. Another one moves the end."""

    type: Literal["lease"] = "lease"
    until: float | None
    """By `kit.clock.uptime` of this host; None: without end."""


class TaskChanges(Message):
    """What changed of the task that a worker has (see protocol.changes)."""

    type: Literal["changes"] = "changes"
    task: AnyTableTask
    """With those tables only that are new or changed."""
    removed: tuple[str, ...] = ()
    """Tables that are gone."""


WorkerInput = Annotated[AnyTask | TaskChanges | WorkerLease, Field(discriminator="type")]
"""A line on a worker's standard input."""
