"""Parameters of orders."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.contrast.schemas import ComparisonWay
from zcbus.control.features.table_command.order import Parameters
from zcbus.model.states import CleanMode, DdlMode
from zcbus.model.table_verbs import SubscribedFacts
from zcbus.protocol.answers import StartPosition


@dataclass(frozen=True, slots=True)
class Load(Parameters):
    """`beside`: whether a full load uses a shadow table; see `Begin`."""

    beside: bool | None = None

    def noted(self) -> dict[str, Any]:
        return {} if self.beside is None else {"beside": self.beside}


@dataclass(frozen=True, slots=True)
class StartAt(Parameters):
    """Start position of changes. None: no table takes the order, so nothing was looked up. `hold`: only set the
    position."""

    start: StartPosition | None
    hold: bool
    time: str | None

    def noted(self) -> dict[str, Any]:
        offset = self.start.offset if self.start is not None else None
        return {"time": self.time, "offset": offset, "hold": self.hold}


@dataclass(frozen=True, slots=True)
class Limits(Parameters):
    """Open row errors that a table bears, and failing changes that it skips from now on."""

    error_limit: int
    dml_skip: int
    ddl_skip: int

    def noted(self) -> dict[str, Any]:
        return {"errorLimit": self.error_limit, "dmlSkip": self.dml_skip, "ddlSkip": self.ddl_skip}


@dataclass(frozen=True, slots=True)
class Modes(Parameters):
    """How the next full load cleans, and how DDL is handled; None: unchanged."""

    clean: CleanMode | None
    ddl: DdlMode | None

    def given(self) -> dict[str, str]:
        """Those that change, by column."""
        modes = {"clean_mode": self.clean, "ddl_mode": self.ddl}
        return {name: mode.value for name, mode in modes.items() if mode is not None}

    def noted(self) -> dict[str, Any]:
        return {name.removesuffix("_mode"): value for name, value in self.given().items()}


@dataclass(frozen=True, slots=True)
class Move:
    """Where a table goes. `from_channel`: where it was when that was decided; None: wherever it is."""

    channel: Row[Any] | None
    from_channel: str | None = None


@dataclass(frozen=True, slots=True)
class Moves(Parameters):
    """`by_table`: where each table goes. `master_id`: whose channels they are."""

    master_id: str
    by_table: Mapping[str, Move]
    note: Mapping[str, Any]

    def narrow(self, facts: SubscribedFacts, row: Row[Any]) -> SubscribedFacts:
        move = self.by_table[row.id]
        is_foreign = row.master_id != self.master_id or move.channel is None
        is_on_channel = move.channel is not None and row.channel_id == move.channel.id
        was_moved = move.from_channel is not None and row.channel_id != move.from_channel
        return replace(facts, other_master=is_foreign, in_channel=is_on_channel, moved=was_moved or is_on_channel)

    def noted(self) -> dict[str, Any]:
        return dict(self.note)


@dataclass(frozen=True, slots=True)
class Comparison(Parameters):
    """How tables are compared."""

    asked: ComparisonWay

    def narrow(self, facts: SubscribedFacts, row: Row[Any]) -> SubscribedFacts:
        return replace(facts, needs_key=row.append_only and self.asked.method not in (None, "count"))

    def noted(self) -> dict[str, Any]:
        return self.asked.model_dump(mode="json", include={"method", "columns", "rounds"})


@dataclass(frozen=True, slots=True)
class OfNode(Parameters):
    """The publish node (a row of `publish.views.nodes`) of all the tables."""

    node: Row[Any]
