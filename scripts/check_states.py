"""Makes the tables of states in docs/ from the model (`--write`), or checks that they are what the model says.

A table stands between `<!-- made from the model: NAME -->` and `<!-- end -->`. What a state means is said in
`zcbus.model.states`, what leads from one to another in `zcbus.model.table_states` and `zcbus.model.services`, what a
state follows from in `zcbus.model.reduction`.
"""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

from zcbus.model import services, table_states
from zcbus.model.reduction.services import ServiceFacts, Worker, service_state, worker_of
from zcbus.model.reduction.subscribed_tables import SourceFacts, TableFacts, table_state
from zcbus.model.states import DesiredState, LinkState, LoadMode, PublishState, ServiceState, SyncState

ROOT = Path(__file__).resolve().parent.parent
PAGES = tuple(ROOT / "docs" / name for name in ("states.md", "table-states.md", "service-states.md"))
REMEDY = "    .venv/bin/python scripts/check_states.py --write"

_BLOCK = re.compile(r"(<!-- made from the model: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def main() -> None:
    made = {page: regenerated(page.read_text("utf-8")) for page in PAGES}
    stale = [page for page, text in made.items() if text != page.read_text("utf-8")]
    if sys.argv[1:] == ["--write"]:
        for page in stale:
            page.write_text(made[page], "utf-8")
    elif stale:
        names = ", ".join(str(page.relative_to(ROOT)) for page in stale)
        sys.exit(f"not what the model says: {names}. Make them again:\n{REMEDY}")


def regenerated(text: str) -> str:
    """A page with its tables as the model says them now. Raises KeyError for a table that nobody makes."""
    return _BLOCK.sub(lambda block: f"{block[1]}{TABLES[block[2]]()}{block[3]}", text)


def meanings(states_of: type[StrEnum]) -> dict[str, str]:
    """What the source says behind each member, by the member's value."""
    module = ast.parse(inspect.getsource(sys.modules[states_of.__module__]))
    body = next(node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == states_of.__name__)
    found = {}
    for member, text in pairwise(body):
        if isinstance(member, ast.Assign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            name = member.targets[0]
            assert isinstance(name, ast.Name)
            found[states_of[name.id].value] = " ".join(str(text.value.value).split())
    return found


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("|" + "|".join(f" {cell} " if cell != "---" else cell for cell in line) + "|\n" for line in lines)


def _meanings_table(states_of: type[StrEnum]) -> Callable[[], str]:
    return lambda: table(("state", "meaning"), ((state.value, meanings(states_of)[state]) for state in states_of))


def _transitions_table(transitions: Iterable[tuple[StrEnum, StrEnum, StrEnum]]) -> Callable[[], str]:
    return lambda: table(("from", "by", "to"), ([str(one) for one in transition] for transition in transitions))


def _table_reduction() -> str:
    """State of a table that is desired, by what was reported of it and by what its process does."""
    known = TableFacts(
        reported=SyncState.UNINITIALIZED,
        reported_at=_NOW,
        reported_generation=1,
        generation=1,
        reported_moves=0,
        moves=0,
        suspended=False,
        load_mode=LoadMode.BOTH,
        loads=True,
        load_started=False,
        load_finished=False,
        worker=Worker.WORKING,
        worker_started_at=_NOW,
        desired=True,
        source=SourceFacts(PublishState.INCREMENTAL_RELEASE, None, 1, 1),
        row_errors=0,
    )

    def row(reported: SyncState) -> list[str]:
        facts = replace(known, reported=reported)
        by_worker = [table_state(replace(facts, worker=worker)).state.value for worker in Worker]
        held = table_state(replace(facts, worker=Worker.AT_REST, desired=False)).state.value
        return [reported.value, *by_worker, held]

    return table(("reported", *(str(worker) for worker in Worker), "held, at rest"), (row(one) for one in SyncState))


def _service_reduction() -> str:
    """State of a service and what its process does, by what its agent sees and what the process says of itself."""
    reports = ("running", "waiting")
    seen = [state for state in ServiceState if state not in (ServiceState.NORMAL, ServiceState.SOFTWARE_EXPIRED)]

    def row(observed: ServiceState, report: str) -> list[str]:
        facts = ServiceFacts(DesiredState.RUNNING, observed, True, False, report, True, False)
        orders = (
            facts,
            replace(facts, pending=True),
            replace(facts, desired=DesiredState.STOPPED),
            replace(facts, desired=DesiredState.STOPPED, pending=True),
        )
        return [observed.value, report, *(service_state(one).value for one in orders), worker_of(facts).value]

    head = (
        "seen",
        "says",
        "is to run",
        "… not followed yet",
        "is to stand still",
        "… not followed yet",
        "its process is",
    )
    alive = (ServiceState.STARTED, ServiceState.STOPPING)
    rows = [row(one, report) for one in seen for report in (reports if one in alive else reports[:1])]
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "table-meanings": _meanings_table(SyncState),
    "table-transitions": _transitions_table(table_states.TRANSITIONS),
    "table-reduction": _table_reduction,
    "published-meanings": _meanings_table(PublishState),
    "service-meanings": _meanings_table(ServiceState),
    "service-transitions": _transitions_table(services.TRANSITIONS),
    "service-reduction": _service_reduction,
    "worker-meanings": _meanings_table(Worker),
    "link-meanings": _meanings_table(LinkState),
}


if __name__ == "__main__":
    main()
