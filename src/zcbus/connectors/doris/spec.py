"""Options and capabilities of Apache Doris and StarRocks connections, from their documentation."""

from dataclasses import replace
from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES
from zcbus.connectors.mysql.variant import Variant, VariantOptions
from zcbus.connectors.options import CONFIG, Port
from zcbus.connectors.polling.options import Interval
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class DorisOptions(VariantOptions):
    """A database of a cluster, by the query port of a frontend."""

    kind: ClassVar[str] = "doris"
    variant: ClassVar[Variant] = Variant(
        product="Doris, StarRocks",
        # SELECT VERSION() is answered with a version of MySQL.
        version="SELECT @@version_comment",
        settings=False,
        # They have this number for nearly all that fails, such as a backend that is away.
        unavailable=frozenset({1105}),
    )
    port: Port = 9030
    interval: Interval = 10


DORIS = KindSpec(
    name="Doris / StarRocks",
    label="Apache Doris / StarRocks",
    group="big-data",
    picture="doris",
    model=DorisOptions,
    capabilities=replace(SOURCE_CAPABILITIES, schemas="database"),
    grammar="mysql",
)
