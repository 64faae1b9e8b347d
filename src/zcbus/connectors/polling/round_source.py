"""Shared parts of sources that are polled in rounds; see roles.Source."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable, Discoverer
from zcbus.kit.clock import now_ms
from zcbus.model.position import START, Position
from zcbus.model.schema import TableSchema


class RoundSource:
    """Positions are start times of rounds. Nothing is created or stored in the source for a node."""

    def log_end(self) -> Position:
        return rounds.end_of_log(now_ms())

    def describe_position(self, position: Position) -> str:
        return rounds.place(position)


class FixedKeySource(RoundSource, ABC):
    """A source whose rows have one key, which tables cannot choose."""

    key: ClassVar[tuple[str, ...]]
    key_refusal: ClassVar[str]
    """Reason of TableRefused, for tables with another key."""

    @abstractmethod
    def discoverer(self) -> Discoverer:
        """On a connection of its own."""

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        for refused in self._other_keys(tables):
            raise refused
        with self.discoverer() as discoverer:
            discoverer.describe([table.name for table in tables])
        return beginning(after)

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        return self._other_keys(tables)

    def _other_keys(self, tables: Sequence[CapturedTable]) -> list[TableMissing | TableRefused]:
        return [
            TableRefused(table=str(table.name), column=", ".join(table.key), reason=self.key_refusal)
            for table in tables
            if table.key != self.key
        ]


def beginning(after: Position | None) -> Position:
    """Start position of a capture: after `after`, else with a round that begins now."""
    return after or rounds.beginning(now_ms(), START)
