"""What became of each table of many, as the operation log keeps it: who left the page finds it there."""

from typing import Any, Protocol, TypeVar

from zcbus.control.platform.call import Call

_NAMED = 3


class Outcome(Protocol):
    """One table: `reason` says, in the caller's language, why nothing was done with it."""

    id: Any
    table: str
    done: bool
    reason: str


R = TypeVar("R", bound=Outcome)


def tell(call: Call, results: list[R], action: str, *, subject: str | None = None, **facts: Any) -> list[R]:
    """Note for the operation log with which tables it was done, and why not with the others. `subject`: what they
    belong to; None: the first of them stand for all."""
    done = [one.table for one in results if one.done]
    call.audit.subject = subject or ", ".join(done[:_NAMED]) or None
    refused = {one.table or one.id: one.reason for one in results if not one.done}
    call.audit.after = {"action": action, "tables": done, **({"refused": refused} if refused else {}), **facts}
    return results
