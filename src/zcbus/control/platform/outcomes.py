"""Result per table of an order to many, as callers get it and as the operation log keeps it."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from pydantic import Field

from zcbus.control.platform.call import Call
from zcbus.control.platform.schema import Schema

_NAMED = 3


class TableResult(Schema):
    """Result for one table. `done`: it is as ordered; `code`, `facts` and their text `reason` say why not, or with
    `nothing-to-do` that it was so before. `id`: null where the table is not stored."""

    id: str | None
    table: str
    done: bool
    reason: str
    code: str = ""
    facts: dict[str, str] = Field(default_factory=dict)


class Outcome(Protocol):
    """One table: `reason` says, in the caller's language, why nothing was done with it."""

    id: Any
    table: str
    done: bool
    reason: str


R = TypeVar("R", bound=Outcome)


def note_outcomes(call: Call, results: Sequence[Outcome], action: str, subject: str | None, **facts: Any) -> None:
    """Note for the operation log which tables are as ordered, and why the others are not. `subject`: what they belong
    to; None: the first of them stand for all."""
    done = [one.table for one in results if one.done]
    call.audit.subject = subject or ", ".join(done[:_NAMED]) or None
    refused = {one.table or one.id: one.reason for one in results if not one.done}
    call.audit.after = {"action": action, "tables": done, **({"refused": refused} if refused else {}), **facts}


def note_and_return(call: Call, results: list[R], action: str, *, subject: str | None = None, **facts: Any) -> list[R]:
    """Note the outcomes and answer them."""
    note_outcomes(call, results, action, subject, **facts)
    return results
