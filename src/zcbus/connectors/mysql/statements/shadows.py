"""Shadow tables of online schema change tools.

gh-ost and pt-online-schema-change create an empty copy of the table, alter it, fill it, keep it up to date, and
exchange it for the table in one statement. By construction it then has the table's rows, as if the table had been
altered at that moment. The tools are recognized by their naming patterns; a table of any other origin has other rows.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zcbus.connectors.mysql.binlog.events import Query
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.statements.actions import (
    Action,
    AddColumn,
    AddKey,
    Altered,
    ChangeColumn,
    Created,
    DatabaseDropped,
    Event,
    RenameColumn,
    Renamed,
    RowsMoved,
)
from zcbus.connectors.mysql.statements.parser import parse
from zcbus.model.position import Position
from zcbus.model.schema import TableName

_SHADOW = re.compile(r"_(?P<gh>.+)_gho|_+(?P<pt>.+)_new", re.DOTALL)
_FORMER = r"_{0}(_\d{{14}})?_del|_+{0}_old"


@dataclass(frozen=True, slots=True)
class _Statement:
    position: Position
    text: str
    schema: str
    sql_mode: int


@dataclass(slots=True)
class _Shadow:
    table: TableName
    of: TableName
    begun: Position
    statements: list[_Statement] = field(default_factory=list)
    ended: Position | None = None
    """From there on the name has no meaning, or belongs to another table."""


class Shadows:
    """The log's statements so far on shadow tables of captured tables."""

    def __init__(self, captured: Iterable[TableName]) -> None:
        self._captured = frozenset(captured)
        self._shadows: list[_Shadow] = []

    def note(self, events: Sequence[Event], query: Query, position: Position) -> bool:
        """A statement that did not fail; returns whether more is known now."""
        noted = [self._note(event, query, position) for event in events]
        return any(noted)

    def note_unknown(self, query: Query, position: Position) -> bool:
        """Record a statement that the parser does not understand: shadow tables that it may concern are no longer
        tracked."""
        concerned = [one for one in self._shadows if one.ended is None and one.table.table in query.text]
        for one in concerned:
            one.ended = position
        return bool(concerned)

    def resolved(self, events: Sequence[Event], version: ServerVersion) -> list[Event]:
        """The same events, with the exchange of a table for its shadow replaced by the shadow's alterations."""
        renamed = {event.new: event for event in events if isinstance(event, Renamed)}
        found: list[Event] = []
        passed: set[int] = set()
        for event in events:
            actions = self._exchanged(event, renamed, version) if isinstance(event, Renamed) else None
            if actions is None:
                found.append(event)
                continue
            assert isinstance(event, Renamed)
            passed.add(id(renamed[event.table]))
            found.append(Altered(event.table, actions))
        return [event for event in found if id(event) not in passed]

    def acknowledge(self, position: Position) -> None:
        """Record that no capture will start before this position."""
        self._shadows = [one for one in self._shadows if one.ended is None or one.ended > position]

    def to_entries(self) -> list[dict[str, Any]]:
        """For `recall`."""
        return [
            {
                "shadow": [one.table.schema, one.table.table],
                "of": [one.of.schema, one.of.table],
                "begun": str(one.begun),
                "ended": str(one.ended) if one.ended is not None else "",
                "statements": [[str(s.position), s.text, s.schema, s.sql_mode] for s in one.statements],
            }
            for one in self._shadows
        ]

    def recall(self, entries: Iterable[Any], after: Position) -> None:
        """Restore the state at a position; later statements will be read again."""
        for entry in entries:
            of, begun = TableName(*entry["of"]), Position.parse(entry["begun"])
            if of not in self._captured or begun > after:
                continue
            statements = [_Statement(Position.parse(place), *rest) for place, *rest in entry["statements"]]
            ended = Position.parse(entry["ended"]) if entry["ended"] else None
            shadow = _Shadow(TableName(*entry["shadow"]), of, begun)
            shadow.statements = [one for one in statements if one.position <= after]
            shadow.ended = ended if ended is not None and ended <= after else None
            self._shadows.append(shadow)

    def _note(self, event: Event, query: Query, position: Position) -> bool:
        if isinstance(event, DatabaseDropped | RowsMoved):
            return False
        shadow = self._open(event.table)
        if isinstance(event, Altered):
            statement = _Statement(position, query.text, query.schema, query.sql_mode)
            if shadow is not None and statement not in shadow.statements:
                shadow.statements.append(statement)
            return shadow is not None
        if shadow is not None:
            shadow.ended = position
        of = self._shadow_of(event.table) if isinstance(event, Created) else None
        if of is not None:
            self._shadows.append(_Shadow(event.table, of, position))
        return shadow is not None or of is not None

    def _open(self, table: TableName) -> _Shadow | None:
        return next((one for one in self._shadows if one.table == table and one.ended is None), None)

    def _shadow_of(self, table: TableName) -> TableName | None:
        match = _SHADOW.fullmatch(table.table)
        of = TableName(table.schema, match["gh"] or match["pt"]) if match is not None else None
        return of if of in self._captured else None

    def _exchanged(
        self, event: Renamed, renamed: dict[TableName, Renamed], version: ServerVersion
    ) -> tuple[Action, ...] | None:
        """The alterations of the table that a statement renames, if its shadow gets its name."""
        taking = renamed.get(event.table)
        shadow = self._open(taking.table) if taking is not None else None
        if shadow is None or shadow.of != event.table or not _is_former(event):
            return None
        actions = [action for one in shadow.statements for action in _actions(one, shadow.table, version)]
        return tuple(actions) if all(_keeps_rows(action) for action in actions) else None


def _is_former(event: Renamed) -> bool:
    pattern = _FORMER.format(re.escape(event.table.table))
    return event.new.schema == event.table.schema and re.fullmatch(pattern, event.new.table) is not None


def _actions(statement: _Statement, table: TableName, version: ServerVersion) -> list[Action]:
    events = parse(statement.text, statement.schema, version, statement.sql_mode)
    return [
        action for event in events if isinstance(event, Altered) and event.table == table for action in event.actions
    ]


def _keeps_rows(action: Action) -> bool:
    """The tools leave out rows that violate a new unique key, and may lose the values of a renamed column."""
    match action:
        case AddColumn(definition):
            return not (definition.unique or definition.primary)
        case ChangeColumn(name, definition):
            same = name.lower() == definition.name.lower()
            return same and not (definition.unique or definition.primary)
        case AddKey():
            return not action.unique
        case RenameColumn():
            return False
    return True
