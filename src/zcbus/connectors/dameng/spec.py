"""Options and capabilities of Dameng connections."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class DamengOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "dameng"
    port: Port = 5236
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_$#-]+$"),
        Shown(
            "模式",
            "Schema",
            help_zh="会话的当前模式：达梦的一个实例只有一个数据库",
            help_en="The schema in which the session begins: an instance of DM is one database",
            example="SHOP",
            required=True,
            fixed=True,
        ),
    ] = ""


DAMENG = KindSpec(
    name="DM",
    label="DM (Dameng)",
    label_zh="达梦 DM",
    group="relational",
    picture="dameng",
    model=DamengOptions,
    capabilities=SOURCE_CAPABILITIES,
)
