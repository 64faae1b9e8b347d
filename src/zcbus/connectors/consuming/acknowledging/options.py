"""Options that acknowledged topics have besides those of all topics."""

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.options import CAPABILITIES as CONSUMING
from zcbus.connectors.consuming.options import ROW_KEY, ConsumingOptions
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, Shown


@dataclass(frozen=True, config=CONFIG)
class AcknowledgingOptions(ConsumingOptions):
    """A kind adds where its broker is."""

    keys: Annotated[
        str,
        Field(max_length=4000, pattern=PLAIN_TEXT),
        Shown(
            "主键列",
            "Key columns",
            help_zh="标识一行的列，以逗号分隔；不同主题写作“主题: 列……”，以分号分隔，* 表示任意字符。消息至少投递一次："
            "有主键的表中，重复的消息写入同一行；没有时每次投递都是新的一行",
            help_en="Columns that identify a row, divided by commas; for topics of their own `topic: columns`, divided "
            "by semicolons, * stands for any characters. Messages are delivered at least once: with a key a repeat "
            "writes the same row again, without one each delivery is a row of its own",
            example="orders: id",
            fixed=True,
            side="source",
        ),
    ] = ""

    def notice(self, topic: str) -> str:
        return "delivery-repeats" if self.row_key(topic) == ROW_KEY else "messages-not-kept"

    def row_key(self, topic: str) -> tuple[str, ...]:
        for part in filter(str.strip, self.keys.split(";")):
            pattern, colon, columns = part.rpartition(":")
            if not colon or fnmatchcase(topic, pattern.strip()):
                return tuple(name.strip() for name in columns.split(",") if name.strip()) or ROW_KEY
        return ROW_KEY


CAPABILITIES = replace(CONSUMING, repeats=True)
"""Capabilities of every such kind."""
