"""Standard input of a worker: its task, changes of it and its lease, one JSON object per line."""

from typing import Annotated, Literal

from pydantic import Field

from zcbus.protocol.base import Message
from zcbus.protocol.service_kinds import AnyTableTask, AnyTask


class WorkerLease(Message):
    """The end of a worker's lease; each message replaces it."""

    type: Literal["lease"] = "lease"
    until: float | None
    """By `kit.clock.uptime` of this host; None: no end."""


class TaskChanges(Message):
    """Changes of a worker's task (see protocol.changes)."""

    type: Literal["changes"] = "changes"
    task: AnyTableTask
    """The task with only the new or changed tables."""
    removed: tuple[str, ...] = ()
    """Ids of removed tables."""


WorkerInput = Annotated[AnyTask | TaskChanges | WorkerLease, Field(discriminator="type")]
"""A line of a worker's standard input."""
