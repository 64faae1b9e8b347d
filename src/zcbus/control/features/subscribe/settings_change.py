"""Consequences of a subscribed table's changed settings: one rule for data sheets, links' documents and policies.

The table may run. Its target never keeps rows of the previous settings unnoticed: they are loaded again, or the
load mode says that nothing is ever loaded.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.subscribe import service, steering, tables
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.model.states import CleanMode, LoadMode
from zcbus.model.table_verbs import SUBSCRIBED, SubscribedFacts, TableVerb
from zcbus.protocol.tasks import Begin


class Consequence(StrEnum):
    """Consequence of changed settings."""

    NONE = "none"
    """Its rows stay right: only later loads, or the handling of DDL, change."""
    CONTINUE = "continue"
    """It is never loaded: it continues at its position, later changes arrive by the new settings. A new generation
    would begin behind the changes that wait."""
    RELOAD = "reload"
    """A new generation begins with a full load. A suspended table begins it when it resumes."""


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """Changed settings of the subscribed table `table_id`."""

    table_id: str
    before: TableSettings
    after: TableSettings

    @property
    def changes_rows(self) -> bool:
        """Whether later rows or changes arrive otherwise, so that a pre-check is due."""
        return self.consequence is not Consequence.NONE

    @property
    def consequence(self) -> Consequence:
        """Consequence for the rows in the target."""
        return consequence_of(self.before, self.after)

    @property
    def uses_shadow_table(self) -> bool:
        """Whether the load uses a shadow table. Required without cleaning: rows would stay that no longer belong to the
        table. Another target may have rows of others, so it is not exchanged."""
        stays = self.before.target == self.after.target
        return self.consequence is Consequence.RELOAD and stays and self.after.clean is CleanMode.NONE

    def refusal(self, facts: SubscribedFacts) -> str:
        """The code of the reason to refuse it; empty: none."""
        return SUBSCRIBED[TableVerb.EDIT].refusal(replace(facts, needs_load=self.needs_load))

    @property
    def needs_load(self) -> bool:
        """Whether target or key change although the table is never loaded: its rows would be missing there."""
        before, after = self.before, self.after
        moves = (before.target, before.key, before.append_only) != (after.target, after.key, after.append_only)
        return moves and after.load is LoadMode.INCREMENTAL


def change_of(row: Row[Any], after: TableSettings) -> SettingsChange:
    """The change of a stored subscribed table (of `views.tables` or `service.tables_of`) to these settings."""
    return SettingsChange(row.id, service.settings_of(row), after)


def consequence_of(before: TableSettings, after: TableSettings) -> Consequence:
    """Consequence of changed settings for the rows in the target. A table that followed changes and is only to be
    loaded has the rows of no single moment, so it is loaded once more."""
    stops_changes = after.load is LoadMode.FULL and before.load is not LoadMode.FULL
    if not (stops_changes or _differ(before, after)):
        return Consequence.NONE
    return Consequence.CONTINUE if after.load is LoadMode.INCREMENTAL else Consequence.RELOAD


def _differ(before: TableSettings, after: TableSettings) -> bool:
    same_rows = before == replace(after, load=before.load, clean=before.clean, ddl=before.ddl, indexes=before.indexes)
    begins_to_load = before.load is LoadMode.INCREMENTAL and after.load is not LoadMode.INCREMENTAL
    return not same_rows or begins_to_load


def store_changes(connection: Connection, changes: Sequence[SettingsChange]) -> None:
    """Store changed settings, and begin new generations where they are due. The caller notifies the agents. What was
    ordered since the change was planned stays: a table that is suspended by now remains so."""
    after = {one.table_id: one.after for one in changes}
    stored = tables.rows_by_id(connection, after)
    service.change_tables(connection, {row.id: (after[row.id], row.generation) for row in stored})
    due = {one.table_id: one for one in changes if one.consequence is Consequence.RELOAD}
    groups: dict[tuple[bool, bool], list[Row[Any]]] = defaultdict(list)
    # Read again: whether a generation begins with a load depends on the new load mode.
    for row in tables.rows_by_id(connection, due):
        groups[row.suspended, due[row.id].uses_shadow_table].append(row)
    for (suspended, shadow), rows in groups.items():
        begin = Begin(mode="full", beside=True) if shadow else None
        steering.start_generation(connection, rows, begin, suspended=suspended)
