"""Which target table each source table goes to, by its name."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from zcbus.control.features.simplify_sync.schemas import MatchState
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH
from zcbus.protocol.answers import TableLine
from zcbus.protocol.base import TableRef
from zcbus.protocol.transforms import NameRule

STARTABLE = (MatchState.NEW, MatchState.EXISTING)
"""States of tables that a start includes."""


@dataclass(frozen=True, slots=True)
class Match:
    """A source table and where it goes. `carried_by`: the link that carries it there already."""

    line: TableLine
    target: TableRef
    state: MatchState
    carried_by: str = ""

    @property
    def source(self) -> TableRef:
        return TableRef(schema_name=self.line.schema_name, table=self.line.table)

    @property
    def has_key(self) -> bool:
        """Whether the source table has a key."""
        return self.line.has_primary_key or self.line.has_unique_key


@dataclass(frozen=True, slots=True)
class TargetSide:
    """The target schema: its existing tables, and (source, target) → link of those already replicated."""

    schema: str
    tables: Sequence[str]
    carried: Mapping[tuple[TableRef, TableRef], str]


def match(lines: Sequence[TableLine], target: TargetSide, names: NameRule, exact: bool) -> list[Match]:
    """Each source table with its target. A table of the very name counts more than one that differs in its case."""
    find = _finder(target.tables, exact)
    found: list[Match] = []
    for line in lines:
        name = names.apply(line.table)
        existing = find(name)
        goal = TableRef(schema_name=target.schema, table=existing or name)
        carried = target.carried.get((TableRef(schema_name=line.schema_name, table=line.table), goal), "")
        found.append(Match(line, goal, _state(line, goal.table, existing, carried), carried))
    return _without_conflicts(found)


def _without_conflicts(found: Sequence[Match]) -> list[Match]:
    taken = Counter(one.target for one in found if one.state in STARTABLE)
    return [
        replace(one, state=MatchState.CONFLICT) if one.state in STARTABLE and taken[one.target] > 1 else one
        for one in found
    ]


def _finder(tables: Sequence[str], exact: bool) -> Callable[[str], str | None]:
    same = {name: name for name in tables}
    if exact:
        return same.get
    alike = {name.lower(): name for name in reversed(tables)}
    return lambda name: same.get(name) or alike.get(name.lower())


def _state(line: TableLine, goal: str, existing: str | None, carried: str) -> MatchState:
    if carried:
        return MatchState.CARRIED
    if line.refused or has_wrong_length(goal):
        return MatchState.REFUSED
    return MatchState.NEW if existing is None else MatchState.EXISTING


def has_wrong_length(name: str) -> bool:
    """Whether a target's name is empty or longer than targets take."""
    return not 0 < len(name) <= MAX_TARGET_NAME_LENGTH
