"""A table of two columns whose changes are sent as events."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pyarrow as pa

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.connectors.emitting.log import keep_in
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.engine.state_logs import BusStateLog, keep_states_on_the_bus, topic_of
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

COLUMNS = (
    Column("id", DataType(Kind.INT64, "bigint"), nullable=False),
    Column("v", DataType(Kind.TEXT, "text")),
)


@contextmanager
def states_in(folder: Path) -> Iterator[None]:
    """The state of targets is on a bus of its own."""
    with closing(EmbeddedBus(folder / "bus")) as bus:
        keep_in(lambda place: BusStateLog(bus, topic_of(place)))
        yield
    keep_states_on_the_bus()


def table(name: str = "orders") -> TargetTable:
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in COLUMNS)
    target = TableName("rows", name)
    return TargetTable(target, mapped, ("id",), TableSchema(target, "postgresql", COLUMNS, ("id",)))


def rows(*values: tuple[str, str | None]) -> pa.RecordBatch:
    ids, texts = zip(*values, strict=True)
    return pa.RecordBatch.from_arrays([pa.array(ids), pa.array(texts, pa.string())], ["id", "v"])


def commit(session: TargetSession, version: int) -> None:
    session.write_checkpoints([Checkpoint("s", "", version, "{}")])
    session.commit()
