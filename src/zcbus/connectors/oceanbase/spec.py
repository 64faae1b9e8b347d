"""Options and capabilities of OceanBase connections, from its documentation, and tried on its engine."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.mysql.variant import CAPABILITIES, ROW_VALUES, Variant, VariantOptions
from zcbus.connectors.options import CONFIG, Port
from zcbus.connectors.spec import KindSpec

_HOUR = 3_600_000_000
"""In microseconds."""


@dataclass(frozen=True, config=CONFIG)
class OceanBaseOptions(VariantOptions):
    """A database of a tenant in MySQL mode; users are `user@tenant#cluster` by way of OBProxy."""

    kind: ClassVar[str] = "oceanbase"
    variant: ClassVar[Variant] = Variant(
        product="OceanBase",
        oldest=(4, 0),
        has_log=False,
        temporary_tables=False,
        # It shortens what does not fit, without a warning.
        local_data=False,
        checks_moments=False,
        same_server=False,
        # A statement has ten seconds by default, which no load keeps to.
        session=(f"SET SESSION ob_query_timeout={12 * _HOUR}, ob_trx_timeout={24 * _HOUR}",),
        waits=("SET SESSION ob_trx_lock_timeout={wait}000000",),
        # Time is up, memory, another leader, killed, rolled back, outcome unknown.
        unavailable=frozenset({4012, 4013, 4030, 4038, 4654, 5066, 6001, 6002, 6225}),
        locked=frozenset({6005}),
    )
    port: Port = 2881


OCEANBASE = KindSpec(
    name="OceanBase",
    label="OceanBase",
    group="relational",
    picture="oceanbase",
    tested="OceanBase 4.3 (seekdb 1.4)",
    model=OceanBaseOptions,
    capabilities=CAPABILITIES,
    grammar="mysql",
    row_values=ROW_VALUES,
)
