"""Options of a connection to a RabbitMQ broker."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.acknowledging.options import CAPABILITIES, AcknowledgingOptions
from zcbus.connectors.consuming.options import ROW_KEY
from zcbus.connectors.emitting.kind import sending
from zcbus.connectors.options import (
    CONFIG,
    PLAIN_TEXT,
    AccountOptions,
    AddressOptions,
    HostName,
    KindOptions,
    Port,
    Shown,
)
from zcbus.connectors.spec import KindSpec
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

_QUEUE = r"[^,\x00-\x1f\x7f]*"
_TEXT = DataType(Kind.TEXT, "text")
EXCHANGE, MESSAGE_ID, REDELIVERED = "_exchange", "_message_id", "_redelivered"
_OWN = (
    Column(EXCHANGE, _TEXT, nullable=False),
    Column(MESSAGE_ID, _TEXT),
    Column(REDELIVERED, DataType(Kind.BOOLEAN, "boolean"), nullable=False),
)


@dataclass(frozen=True, config=CONFIG)
class _Broker(AddressOptions):
    """Where it is."""

    host: Annotated[HostName, Shown("主机", "Host", example="rabbitmq.example.com", required=True)] = ""
    port: Port = 5672
    vhost: Annotated[
        str,
        Field(min_length=1, max_length=255, pattern=PLAIN_TEXT),
        Shown("虚拟主机", "Virtual host", example="/", fixed=True),
    ] = "/"


@dataclass(frozen=True, config=CONFIG)
class _Location(AccountOptions, _Broker):
    """Where the broker is, and who signs in."""

    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown("加密传输", "TLS", help_zh="端口通常为 5671", help_en="Usually at port 5671", identifies=False),
    ] = "disable"


@dataclass(frozen=True, config=CONFIG)
class _Read(KindOptions):
    """What is read. It comes before the names of it in forms."""

    reading: Annotated[
        Literal["queues", "streams"],
        Shown(
            "读取对象",
            "What is read",
            help_zh="queues：经典队列和仲裁队列，读取的消息从队列中移除；streams：流（x-queue-type: stream），"
            "按偏移量读取，消息留在流中，每条消息恰好一行",
            help_en="queues: classic and quorum queues, whose messages leave them when they were read; streams: "
            "(x-queue-type: stream), which are read by offset and keep their messages, each of which is one row",
            fixed=True,
            side="source",
        ),
    ] = "queues"


@dataclass(frozen=True, config=CONFIG)
class _Reading(KindOptions):
    """How it is read."""

    gaps: Annotated[
        Literal["stop", "pass"],
        Shown(
            "流的偏移量空缺",
            "Offsets without a message",
            help_zh="仅用于流。stop：遇到一个以上的空缺时表停止，因为代理不通过 AMQP 交付压缩的批；pass：跳过空缺。"
            "流协议的客户端在流中保存自己的偏移量时会产生空缺，且没有生产者压缩批时，可选择 pass",
            help_en="Of streams only. stop: the table stops where more than one is missing, since the broker does not "
            "hand out compressed batches over AMQP. pass: they are skipped; for streams in which clients of the stream "
            "protocol store their offsets, which leaves such gaps, if no producer compresses batches",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = "stop"
    prefetch: Annotated[
        int,
        Field(ge=1, le=65535),
        Shown(
            "预取数",
            "Prefetch",
            help_zh="每个队列或流最多发送多少条尚未确认的消息",
            help_en="Messages that the broker sends of each queue or stream without an acknowledgement",
            identifies=False,
            side="source",
        ),
    ] = 1000


@dataclass(frozen=True, config=CONFIG)
class RabbitOptions(_Reading, AcknowledgingOptions, _Read, _Location):
    """A broker, and the queues or streams that are read. The address comes first in forms."""

    kind: ClassVar[str] = "rabbitmq"
    key: Literal["text"] = "text"
    """Routing keys are text; not an option here."""
    title_form: ClassVar[str] = "{topics}"
    topics: Annotated[
        str,
        Field(max_length=4000, pattern=rf"^({_QUEUE}(,{_QUEUE})*)?$"),
        Shown(
            "队列或流",
            "Queues or streams",
            help_zh="名称，以逗号分隔。每个队列或流是一张表；队列只由平台读取。路由键在 _key 列",
            help_en="Names, divided by commas. Each queue or stream is a table; queues are read by the platform alone. "
            "The column _key holds the routing key",
            example="orders, audit.log",
            side="source",
        ),
    ] = ""
    exchange: Annotated[
        str,
        Field(max_length=127, pattern=PLAIN_TEXT),
        Shown(
            "目标交换机",
            "Exchange",
            help_zh="变更以 JSON 事件发布到此交换机；留空为默认交换机，此时路由键即队列名",
            help_en="Changes are published to it, as events in JSON. Empty: the default exchange, where the routing "
            "key is a queue's name",
            example="shop",
            fixed=True,
            side="target",
        ),
    ] = ""
    routing: Annotated[
        str,
        Field(max_length=127, pattern=r"^[^\x00-\x1f\x7f]*\{table\}[^\x00-\x1f\x7f]*$"),
        Shown(
            "路由键",
            "Routing key",
            help_zh="每个目标表的路由键；{table} 为表名。须有队列接收这些消息",
            help_en="Of each target table; {table} is its name. A queue must take these messages",
            example="shop.{table}",
            fixed=True,
            side="target",
        ),
    ] = "{table}"

    def queues(self) -> list[str]:
        """The names of the queues or streams, each once."""
        return list(dict.fromkeys(one.strip() for one in self.topics.split(",") if one.strip()))

    def is_selected(self, topic: str) -> bool:
        return topic in self.queues()

    def own_columns(self, topic: str) -> tuple[Column, ...]:
        return _OWN[:2] if self.has_streams else _OWN

    @property
    def has_streams(self) -> bool:
        """Whether streams are read, each message once: it needs no key of its own."""
        return self.reading == "streams"

    def notice(self, topic: str) -> str:
        return "" if self.has_streams else super().notice(topic)

    def row_key(self, topic: str) -> tuple[str, ...]:
        return ROW_KEY if self.has_streams else super().row_key(topic)


RABBITMQ = KindSpec(
    name="RabbitMQ",
    label="RabbitMQ",
    group="message-queue",
    picture="rabbitmq",
    tested="RabbitMQ 3.10",
    model=RabbitOptions,
    capabilities=sending(CAPABILITIES),
)
"""Messages of queues as rows, and rows as messages."""
