"""Options of a connection to an MQTT broker."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.acknowledging.options import CAPABILITIES, AcknowledgingOptions
from zcbus.connectors.emitting.kind import sending
from zcbus.connectors.options import CONFIG, HostName, KindOptions, OptionalUser, Port, ServerOptions, Shown
from zcbus.connectors.spec import KindSpec
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

_LEVEL = r"(\+|[^+#/,\x00-\x1f\x7f]*)"
_FILTER = rf"(#|{_LEVEL}(/{_LEVEL})*(/#)?)"
QOS, RETAIN = "_qos", "_retain"
_TEXT = DataType(Kind.TEXT, "text")
_OWN = (
    Column(QOS, DataType(Kind.INT32, "integer"), nullable=False),
    Column(RETAIN, DataType(Kind.BOOLEAN, "boolean"), nullable=False),
)


@dataclass(frozen=True, config=CONFIG)
class _Location(ServerOptions):
    """Where the broker is, and who signs in."""

    host: Annotated[HostName, Shown("主机", "Host", example="mqtt.example.com", required=True)] = ""
    port: Port = 1883
    user: OptionalUser = ""
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown("加密传输", "TLS", help_zh="端口通常为 8883", help_en="Usually at port 8883", identifies=False),
    ] = "disable"


@dataclass(frozen=True, config=CONFIG)
class _Session(KindOptions):
    """What the broker keeps while nothing reads."""

    client: Annotated[
        str,
        Field(max_length=64, pattern=r"^[A-Za-z0-9_.:-]*$"),
        Shown(
            "客户端标识前缀",
            "Client id prefix",
            help_zh="每个发布节点以此前缀加节点编号作为固定的客户端标识，代理以它保存会话",
            help_en="Each publish node's client id is this and the node's id; the broker keeps the session under it",
            fixed=True,
            side="source",
        ),
    ] = "zcbus-"
    expiry: Annotated[
        int,
        Field(ge=1, le=1_000_000),
        Shown(
            "会话保留（小时）",
            "Session expiry (h)",
            help_zh="读取中断后，代理保留会话及其消息的时间；之后表停止，因为可能缺少消息",
            help_en="How long the broker keeps the session and its messages while nothing reads; after that the tables "
            "stop, since messages may be missing",
            identifies=False,
            side="source",
        ),
    ] = 168
    window: Annotated[
        int,
        Field(ge=1, le=65535),
        Shown(
            "接收窗口",
            "Receive maximum",
            help_zh="代理最多发送多少条尚未确认的消息",
            help_en="Messages that the broker sends without an acknowledgement",
            identifies=False,
            side="source",
        ),
    ] = 1000


@dataclass(frozen=True, config=CONFIG)
class MqttOptions(_Session, AcknowledgingOptions, _Location):
    """A broker, and the topic filters that are read. The address comes first in forms."""

    kind: ClassVar[str] = "mqtt"
    key: Literal["text"] = "text"
    """Topics are text; not an option here."""
    title_form: ClassVar[str] = "{topics}"
    address_form: ClassVar[str] = "{host}:{port}"
    topics: Annotated[
        str,
        Field(max_length=1000, pattern=rf"^( *{_FILTER} *(, *{_FILTER} *)*)?$"),
        Shown(
            "主题过滤器",
            "Topic filters",
            help_zh="以逗号分隔，+ 表示一级，# 表示其后所有级。每个过滤器是一张表，主题在 _key 列，"
            "通配符所代表的级在 _level1、_level2…… 列",
            help_en="Divided by commas; + stands for one level, # for all that follow. Each filter is a table; the "
            "column _key holds the topic, _level1, _level2 … the levels that wildcards stand for",
            example="sensors/+/temperature, plant/#",
            side="source",
        ),
    ] = ""
    destination: Annotated[
        str,
        Field(max_length=200, pattern=r"^[^+#\x00-\x1f\x7f]*\{table\}[^+#\x00-\x1f\x7f]*$"),
        Shown(
            "目标主题",
            "Topic",
            help_zh="每个目标表的变更以 JSON 事件发布到此主题（QoS 1）；{table} 为表名。代理丢弃没有订阅者的消息",
            help_en="Changes of each target table are published to it, as events in JSON with QoS 1; {table} is its "
            "name. The broker drops what nothing subscribes to",
            example="shop/{table}",
            fixed=True,
            side="target",
        ),
    ] = "zcbus/{table}"

    def filters(self) -> list[str]:
        """The topic filters, each once."""
        return list(dict.fromkeys(one.strip() for one in self.topics.split(",") if one.strip()))

    def is_selected(self, topic: str) -> bool:
        return topic in self.filters()

    def own_columns(self, topic: str) -> tuple[Column, ...]:
        numbers = (number for number, part in enumerate(topic.split("/"), 1) if part in ("+", "#"))
        return (*_OWN, *(Column(f"_level{number}", _TEXT, nullable=False) for number in numbers))


MQTT = KindSpec(
    name="MQTT",
    label="MQTT",
    group="message-queue",
    picture="mqtt",
    tested="Mosquitto 2.0",
    model=MqttOptions,
    capabilities=sending(CAPABILITIES),
)
"""Messages of topics as rows, and rows as messages."""
