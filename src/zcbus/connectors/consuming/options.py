"""Options of sources of messages: which topics, and how their messages become rows."""

import fnmatch
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.consuming.offsets import NUMBERS, OffsetForm
from zcbus.connectors.formats.declared import COLUMN_LISTS
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, Shown
from zcbus.model.schema import Column

SCHEMA = "topics"
"""The one schema of a broker."""
PARTITION, OFFSET = "_partition", "_offset"
ROW_KEY = (PARTITION, OFFSET)


@dataclass(frozen=True, config=CONFIG)
class ConsumingOptions(KindOptions):
    """A kind adds where its broker is."""

    offsets: ClassVar[OffsetForm] = NUMBERS
    has_keys: ClassVar[bool] = True
    """Whether messages have a key, in the column `_key`."""
    topics: Annotated[
        str,
        Field(max_length=1000, pattern=PLAIN_TEXT),
        Shown(
            "主题",
            "Topics",
            help_zh="以逗号分隔，* 表示任意字符；其他主题不列出",
            help_en="Comma-separated patterns, * matches any characters; other topics are not listed",
            example="shop.*, audit",
            side="source",
        ),
    ] = "*"
    value: Annotated[
        Literal["text", "json", "debezium", "binary"],
        Shown(
            "消息值",
            "Values",
            help_zh="text：UTF-8 文本列 _value；json：JSON 对象，按“列”取值；debezium：Debezium 的 JSON 信封，"
            "按“列”取自变更后的行（删除时为变更前），操作在 _op 列；binary：字节列 _value。"
            "不符合所选格式的消息会使表停止",
            help_en="text: the column _value, in UTF-8; json: objects, see Columns; debezium: Debezium's envelopes in "
            "JSON, Columns name values of the row after the change (before it, if it was deleted), _op is the "
            "operation; binary: the column _value, bytes. A message that is not so stops its table",
            fixed=True,
            side="source",
        ),
    ] = "text"
    key: Annotated[
        Literal["text", "binary"],
        Shown(
            "消息键",
            "Keys",
            help_zh="_key 列的类型",
            help_en="What the column _key holds",
            fixed=True,
            side="source",
        ),
    ] = "text"
    columns: Annotated[
        str,
        Field(max_length=8000, pattern=COLUMN_LISTS),
        Shown(
            "列",
            "Columns",
            help_zh="json、debezium：取自对象的列，写作“列名 类型”，以逗号分隔；"
            "不同主题写作“主题: 列……”，以分号分隔，* 表示任意字符。未声明列的主题整个值写入 JSON 列 _value。"
            "类型：text、bigint、decimal(p,s)、double、boolean、date、timestamp、timestamptz、json",
            help_en="With json and debezium: the names that are taken out of each object, as `column type`, divided by "
            "commas; for topics of their own `topic: columns`, divided by semicolons, * stands for any characters. A "
            "topic without columns has its whole value in _value, as JSON. Types: text, bigint, decimal(p,s), double, "
            "boolean, date, timestamp, timestamptz, json",
            example="orders: id bigint, at timestamptz; audit.*: who text",
            fixed=True,
            side="source",
        ),
    ] = ""

    def own_columns(self, topic: str) -> tuple[Column, ...]:
        """Columns that the kind adds to the table of a topic; Message.more has their values."""
        return ()

    def row_key(self, topic: str) -> tuple[str, ...]:
        """Columns that identify a row of the topic."""
        return ROW_KEY

    @property
    def has_fields(self) -> bool:
        """Whether a message has no value but named fields, its headers."""
        return False

    @property
    def is_enveloped(self) -> bool:
        """Whether a message says what was done to a row."""
        return self.value == "debezium" and not self.has_fields

    def notice(self, topic: str) -> str:
        """As in TableSummary."""
        return ""

    def is_selected(self, topic: str) -> bool:
        """Whether a topic is among those that are listed."""
        patterns = (one.strip() for one in self.topics.split(","))
        return any(pattern and fnmatch.fnmatchcase(topic, pattern) for pattern in patterns)


CAPABILITIES = Capabilities(capture="consume", deletes="no", schemas="none", default_schema=SCHEMA)
"""Capabilities of every kind of broker. Rows stay in the target after retention removed their messages, so the two are
not compared."""
