"""Options and capabilities of TiDB connections, from its documentation."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.mysql.variant import CAPABILITIES, ROW_VALUES, Variant, VariantOptions
from zcbus.connectors.options import CONFIG, Port
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class TiDBOptions(VariantOptions):
    """A database of a cluster."""

    kind: ClassVar[str] = "tidb"
    variant: ClassVar[Variant] = Variant(
        product="TiDB",
        oldest=(6, 5),
        has_log=False,
        # It has temporary tables, but none that are made of a query.
        temporary_tables=False,
        local_data=False,
        checks_moments=False,
        same_server=False,
        # Conflicts at the commit alone would undo transactions that were believed to hold their locks.
        session=("SET SESSION tidb_txn_mode='pessimistic'",),
        waits=("SET SESSION innodb_lock_wait_timeout={wait}",),
        # Busy, slow or absent stores and leaders; write conflicts; the catalogue changed meanwhile.
        unavailable=frozenset({8002, 8005, 8022, 8027, 8028, 9001, 9002, 9003, 9005, 9007}),
        locked=frozenset({9004}),
    )
    port: Port = 4000


TIDB = KindSpec(
    name="TiDB",
    label="TiDB",
    group="relational",
    picture="tidb",
    model=TiDBOptions,
    capabilities=CAPABILITIES,
    grammar="mysql",
    row_values=ROW_VALUES,
)
