"""The two databases of a comparison, and the plan of a table by their catalogs."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zcbus.bus.contract import Bus
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Source, Target
from zcbus.engine.capture_history import CaptureHistory
from zcbus.engine.comparison.sides import Plan, plan
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.reasons import APPEND_ONLY_NOT_COMPARED, TableStopped
from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
from zcbus.engine.subscribe.schema.mapping import Mapped, map_table, spelled_by
from zcbus.model.comparison import ComparisonMethod
from zcbus.model.schema import TableName, TableSchema
from zcbus.protocol.base import Connection
from zcbus.protocol.tasks import SubscribedTable

if TYPE_CHECKING:
    from zcbus.engine.transform.shapes import Shapes


@dataclass(frozen=True, slots=True)
class Ends:
    """Connectors and options of both sides."""

    source_connector: Connector
    target_connector: Connector
    source_options: Any
    target_options: Any
    shapes: "Shapes"

    @classmethod
    def of(cls, connectors: Connectors, source: Connection, target: Connection, shapes: "Shapes") -> "Ends":
        """Raises UnknownKind, OptionsInvalid."""
        source_connector, target_connector = connectors(source.kind), connectors(target.kind)
        return cls(source_connector, target_connector, options_of(source), options_of(target), shapes)

    def target(self) -> Target:
        return self.target_connector.target(self.target_options)

    def source(self, bus: Bus, node: str) -> Source:
        """The source with the log to which the positions on the node's topics belong."""
        return self.source_connector.source(self.source_options, CaptureHistory(bus, node).log)

    def source_reader(self) -> TableReader:
        return self.source_connector.reader(self.source_options, "source")

    def target_reader(self) -> TableReader:
        return self.target_connector.reader(self.target_options, "target")

    def plan(
        self,
        table: SubscribedTable,
        checkpoint: TableCheckpoint,
        method: ComparisonMethod = "content",
        columns: Collection[str] = (),
    ) -> Plan:
        """Plan of a table's comparison by both catalogs as they are now. Raises TableStopped, TransientError."""
        name, target_name = source_of(table), TableName(table.target.schema_name, table.target.table)
        with self.source_connector.discoverer(self.source_options) as discoverer:
            schema = discoverer.describe([name])[0]
        with self.target_connector.discoverer(self.target_options) as discoverer:
            existing = discoverer.describe([target_name])[0]
        # The checkpoint of a table that started with its changes has no key before the first one.
        key = checkpoint.key or table.row_key(schema)
        if not key and method != "count":
            raise TableStopped(APPEND_ONLY_NOT_COMPARED, table=name)
        mapped = self._mapped(table, checkpoint, schema, key, existing)
        strict = method == "strict"
        return plan(mapped, key, schema, existing, self.target(), strict=strict, chosen=columns)

    def _mapped(
        self,
        table: SubscribedTable,
        checkpoint: TableCheckpoint,
        schema: TableSchema,
        key: tuple[str, ...],
        existing: TableSchema,
    ) -> Mapped:
        spelled = checkpoint.spelled
        if not checkpoint.columns:
            spelled = spelled_by(
                map_table(table, schema, key, self.shapes).table, existing, table.transform.exact_names
            )
        mapped = map_table(table, schema, key, self.shapes, checkpoint.columns, spelled)
        return mapped.coming_through((checkpoint.place,) if checkpoint.place else ())


def source_of(table: SubscribedTable) -> TableName:
    """The source's name of a subscribed table."""
    return TableName(table.source.schema_name, table.source.table)
