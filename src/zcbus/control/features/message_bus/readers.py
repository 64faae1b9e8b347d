"""Who reads a topic, and from where on."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.bus.topics import TopicRole, full_topic, parts_of, real_topic
from zcbus.control.features.message_bus import queries
from zcbus.control.features.message_bus.schemas import ReaderKind, ReaderRecord
from zcbus.model.states import ServiceState
from zcbus.protocol.bus_inspection import BusTopicLine, PartLine


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of one topic. `offset`: of the first record that it still needs; None: not known, or not counted so."""

    kind: ReaderKind
    id: str
    name: str
    owner: str
    state: ServiceState
    offset: int | None = None
    as_of: datetime | None = None
    tables: int = 1
    loading: int = 0
    rows_loaded: int | None = None
    rows_total: int | None = None

    @property
    def counts_records(self) -> bool:
        """Whether it has an offset at all."""
        return self.kind != "load"


def readers_of(connection: Connection, topics: Collection[str]) -> Mapping[str, Sequence[Reader]]:
    """Readers of each of these topics that has any."""
    parts = [found for found in map(parts_of, topics) if found is not None]
    nodes = {one.node for one in parts if one.role is TopicRole.REAL}
    tables = {one.table: one.node for one in parts if one.role is TopicRole.FULL}
    found: dict[str, list[Reader]] = defaultdict(list)
    _add_of_real(connection, nodes, found)
    _add_of_full(connection, tables, found)
    return found


def _add_of_real(connection: Connection, nodes: Collection[str], found: dict[str, list[Reader]]) -> None:
    for row in queries.channels(connection, nodes):
        found[real_topic(row.node_id)].append(_reader("channel", row, loading=row.loading or 0))
    for row in queries.stream_queries(connection, nodes):
        found[real_topic(row.node_id)].append(_reader("computation", row, loading=0))
    for row in queries.json_topics(connection, nodes):
        offset = row.feed["next_offset"] if row.feed else None
        found[real_topic(row.id)].append(
            Reader(
                "json", row.id, row.json_topic, row.owner, ServiceState(row.current_state), offset, row.reported_at, 0
            )
        )


def _reader(kind: ReaderKind, row: Row[Any], loading: int) -> Reader:
    offset = (row.needs or {}).get(row.node_id)
    as_of = row.needs_at if offset is not None else None
    state = ServiceState(row.current_state)
    return Reader(kind, row.id, row.name, row.owner, state, offset, as_of, row.tables, loading)


def _add_of_full(connection: Connection, tables: Mapping[str, str], found: dict[str, list[Reader]]) -> None:
    if not tables:
        return
    for row in queries.loads(connection, tables):
        topic = full_topic(tables[row.published_table_id], row.published_table_id, row.generation)
        found[topic].append(
            Reader(
                "load",
                row.id,
                f"{row.target_schema}.{row.target_table}",
                f"{row.owner} / {row.channel_name}",
                ServiceState(row.current_state),
                as_of=row.reported_at,
                loading=1,
                rows_loaded=row.rows_loaded,
                rows_total=row.rows_total,
            )
        )
    generations = {row.id: row.generation for row in queries.published_tables(connection, set(tables.values()))}
    for row in queries.computed_inputs(connection, tables):
        if row.reported_generation < row.generation or row.input not in row.input_rows:
            topic = full_topic(
                tables[row.published_table_id], row.published_table_id, generations[row.published_table_id]
            )
            state = ServiceState(row.current_state)
            found[topic].append(
                Reader("load", row.id, row.input, f"{row.owner} / {row.name}", state, as_of=row.reported_at, loading=1)
            )


def record_of(reader: Reader, line: BusTopicLine, part: PartLine | None) -> ReaderRecord:
    """A reader as a record. `part`: what waits for it; None: not known."""
    return ReaderRecord(
        kind=reader.kind,
        id=reader.id,
        name=reader.name,
        owner=reader.owner,
        state=reader.state,
        offset=reader.offset,
        behind_records=part.records if part is not None else None,
        behind_bytes=part.size_bytes if part is not None else None,
        expired=reader.offset is not None and reader.offset < line.first_offset,
        as_of=reader.as_of,
        tables=reader.tables,
        loading=reader.loading,
        rows_loaded=reader.rows_loaded,
        rows_total=reader.rows_total,
    )
