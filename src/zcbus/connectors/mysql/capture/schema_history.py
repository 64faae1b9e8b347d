"""The schemas of captured tables by log position.

A schema is read from the catalog once, when the capture of the table begins; afterwards it is derived from the log's
own statements. So rows are decoded correctly wherever a capture starts, and however far the catalog is ahead. Derived
schemas are compared with the catalog as soon as both refer to the same position.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import orjson

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.mysql.binlog.events import Query
from zcbus.connectors.mysql.capture import position as positions
from zcbus.connectors.mysql.catalog.discover import describe_layouts
from zcbus.connectors.mysql.catalog.layout import TableLayout, layout_from_dict, layout_to_dict
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.statements.actions import Action, ChangeColumn, Event
from zcbus.connectors.mysql.statements.comparison import have_same_rows, may_change_values, spelt_as, with_former
from zcbus.connectors.mysql.statements.evolution import Step, steps
from zcbus.connectors.mysql.statements.shadows import Shadows
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.model.position import Position
from zcbus.model.schema import TableName


@dataclass(frozen=True, slots=True)
class Version:
    """A structure and from where on it holds."""

    position: Position
    until: Position
    """Schema changes after `position` and up to here may be in it or not: the catalog was read meanwhile."""
    step: Step


@dataclass
class _Table:
    captured: CapturedTable
    versions: list[Version] = field(default_factory=list)
    """In the order of the log; the last one is current."""
    verified: bool = True
    seen: tuple[TableLayout, Position] | None = None
    """The catalog's layout, and a position of the log that it was not ahead of."""


class SchemaTracker:
    """Schema histories of all tables of a capture that starts after `after`."""

    def __init__(
        self,
        session: Callable[[], Session],
        tables: Sequence[CapturedTable],
        history: SchemaHistory,
        after: Position,
        log: int = 0,
    ) -> None:
        """`log`: number of the log that is read. Raises TableMissing for a table that neither exists nor is in the
        history."""
        self._session, self._history, self._log = session, history, log
        self._tables = {table.name: _Table(table) for table in tables}
        self._shadows = Shadows(self._tables)
        self._passed = after
        is_known = self._recall(after)
        missing = [name for name, table in self._tables.items() if not table.versions]
        if missing:
            for name, version in self._read(missing):
                self._tables[name].versions = [version]
        if missing or not is_known:
            self._save()

    def current(self, name: TableName) -> Step:
        """The schema at the reached position. The key is the requested one, by its current column names."""
        return self._tables[name].versions[-1].step

    def follow(self, name: TableName, actions: Sequence[Action], position: Position, strict: bool = True) -> list[Step]:
        """Apply a table's alteration at a position.

        Returns the resulting steps in order; [] if the history has them already. `strict`: the server refused values
        that did not fit. Raises NotUnderstood, TableRefused.
        """
        if self.is_known(name, position):
            return []
        table = self._tables[name]
        before = table.versions[-1].step
        _check_computed(name, actions)
        found = self._as_catalogue_spells(table, steps(before, actions, self._session().version))
        _check_key(table.captured, before, found[-1])
        if not strict:
            _check_values(name, [before, *found])
        table.versions.append(Version(position, position, found[-1]))
        table.seen = None
        self._save()
        return found

    def resolved(self, events: Sequence[Event], query: Query, position: Position) -> list[Event]:
        """The effect of a successful statement, given the statements before it (see Shadows)."""
        found = self._shadows.resolved(events, self._session().version)
        if self._shadows.note(events, query, position):
            self._save()
        return found

    def note_unknown(self, query: Query, position: Position) -> None:
        """Record a statement that the parser does not understand."""
        if self._shadows.note_unknown(query, position):
            self._save()

    def is_known(self, name: TableName, position: Position) -> bool:
        """Whether the history already contains the effect of a statement at this position. Raises TableRefused."""
        table = self._tables[name]
        if table.versions[-1].position < position <= table.versions[-1].until:
            self._read_again(table)
        return position <= table.versions[-1].position

    def exists(self, name: TableName) -> bool:
        """Whether the catalogue has the table today."""
        return self._today(name) is not None

    def acknowledge(self, position: Position) -> None:
        """Record that no capture will start before this position."""
        self._passed = position

    @property
    def is_verified(self) -> bool:
        """Whether the catalog has confirmed all derived schemas."""
        return all(table.verified for table in self._tables.values())

    def verify(self, reached: Position) -> list[TableName]:
        """Compare derived schemas with the catalog as far as possible; the log has been read up to `reached`.

        Returns the tables whose schema was completed. Raises TableRefused if rows may have been decoded wrongly.
        """
        changed = []
        for name, table in self._tables.items():
            if table.verified:
                continue
            if table.seen is None:
                table.seen = self._observe(name)
            elif reached >= table.seen[1]:
                self._adopt(table, table.seen[0], reached)
                changed.append(name)
        return changed

    def _adopt(self, table: _Table, today: TableLayout, reached: Position) -> None:
        newest = table.versions[-1]
        if not have_same_rows(newest.step.layout, today):
            raise TableRefused(table=str(table.captured.name), column="", reason="structure-misread")
        layout = with_former(today, newest.step.layout)
        table.verified, table.seen = True, None
        if layout != newest.step.layout:
            table.versions.append(Version(reached, reached, replace(newest.step, layout=layout)))
            self._save()

    def _observe(self, name: TableName) -> tuple[TableLayout, Position] | None:
        layout = self._today(name)
        # The log will contain the removal of a missing table.
        return None if layout is None else (layout, self._end())

    def _end(self) -> Position:
        """Current end of the log, which the catalog is not behind."""
        return positions.current(self._session(), self._log)[1]

    def _today(self, name: TableName) -> TableLayout | None:
        try:
            return describe_layouts(self._session(), [name])[0]
        except TableMissing:
            return None

    def _as_catalogue_spells(self, table: _Table, found: list[Step]) -> list[Step]:
        today = self._today(table.captured.name)
        if today is None:
            table.verified = False
            return found
        found = [replace(step, layout=spelt_as(step.layout, today)) for step in found]
        table.verified = with_former(today, found[-1].layout) == found[-1].layout
        return found

    def _read(self, names: Sequence[TableName]) -> Iterator[tuple[TableName, Version]]:
        before = self._end()
        layouts = describe_layouts(self._session(), names)
        behind = self._end()
        for name, layout in zip(names, layouts, strict=True):
            yield name, Version(before, behind, Step(layout, self._tables[name].captured.key))

    def _read_again(self, table: _Table) -> None:
        try:
            for _, version in self._read([table.captured.name]):
                table.versions.append(version)
        except TableMissing as error:
            raise TableRefused(table=str(table.captured.name), column="", reason="table-missing") from error
        self._save()

    def _recall(self, after: Position) -> bool:
        """Restore the history; returns whether it had no other tables.

        A table that is not captured is dropped from the history: captured again, it starts with the catalog's schema
        then.
        """
        text = self._history.read()
        remembered = orjson.loads(zlib.decompress(text)) if text else []
        self._shadows.recall((entry for entry in remembered if "shadow" in entry), after)
        entries = [entry for entry in remembered if "table" in entry]
        for entry in entries:
            table = self._tables.get(TableName(*entry["table"]))
            if table is not None:
                versions = [_version(one) for one in entry["versions"]]
                # Statements after `after` will be read again.
                table.versions = [one for one in versions if one.position <= after] or versions[:1]
                table.versions[-1] = _for_key(table.versions[-1], table.captured.key)
                table.verified = entry["verified"]
        return all(TableName(*entry["table"]) in self._tables for entry in entries)

    def _save(self) -> None:
        """Store the history. Durable before any later row is passed on, because a capture that resumes there does not
        see the statement again."""
        for table in self._tables.values():
            passed = [place for place, one in enumerate(table.versions) if one.position <= self._passed]
            if passed:
                table.versions = table.versions[passed[-1] :]
        entries = [
            {
                "table": [name.schema, name.table],
                "verified": table.verified,
                "versions": [_to_dict(version) for version in table.versions],
            }
            for name, table in self._tables.items()
        ]
        self._shadows.acknowledge(self._passed)
        self._history.write(zlib.compress(orjson.dumps(entries + self._shadows.to_entries()), 1))


def _check_key(captured: CapturedTable, before: Step, after: Step) -> None:
    """Rows are known by a key of the table's own: when it is none any more, two rows may be one."""
    if captured.key and _is_own(before) and not _is_own(after):
        raise TableRefused(table=str(captured.name), column=", ".join(after.key), reason="key-dropped")


def _check_computed(name: TableName, actions: Sequence[Action]) -> None:
    """A stored column that is defined again has the values of another expression, as far as is known."""
    for action in actions:
        if isinstance(action, ChangeColumn) and action.definition.generated == "stored":
            raise TableRefused(table=str(name), column=action.definition.name, reason="values-rewritten")


def _check_values(name: TableName, passed: Sequence[Step]) -> None:
    for before, after in pairwise(passed):
        if column := may_change_values(before.layout, after.layout):
            raise TableRefused(table=str(name), column=column, reason="values-may-change")


def _is_own(step: Step) -> bool:
    return step.layout.schema.has_key(step.key)


def _for_key(version: Version, key: tuple[str, ...]) -> Version:
    """The requested key, if the schema has such columns; they may have been renamed since."""
    if not set(key) <= set(version.step.layout.schema.names):
        return version
    return replace(version, step=replace(version.step, key=key))


def _to_dict(version: Version) -> dict[str, Any]:
    return {
        "position": str(version.position),
        "until": str(version.until),
        "layout": layout_to_dict(version.step.layout),
        "key": version.step.key,
    }


def _version(data: Any) -> Version:
    step = Step(layout_from_dict(data["layout"]), tuple(data["key"]))
    return Version(Position.parse(data["position"]), Position.parse(data["until"]), step)
