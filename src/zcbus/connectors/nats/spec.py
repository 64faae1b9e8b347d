"""Options of a connection to a NATS server with JetStream."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.options import CAPABILITIES, ConsumingOptions
from zcbus.connectors.emitting.kind import sending
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, OptionalUser, Port, ServerOptions, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class _Location(ServerOptions):
    """Where the server is, and who signs in."""

    host: Annotated[HostName, Shown("主机", "Host", example="nats.example.com", required=True)] = ""
    port: Port = 4222
    user: OptionalUser = ""
    token: Annotated[
        str,
        Field(max_length=255, repr=False),
        Shown(
            "令牌",
            "Token",
            help_zh="以令牌登录的服务器使用，代替用户名和密码",
            help_en="For servers that sign in by a token, in place of user and password",
            secret=True,
        ),
    ] = ""
    tls: Annotated[Literal["disable", "require", "verify-full"], Shown("加密传输", "TLS", identifies=False)] = "disable"


@dataclass(frozen=True, config=CONFIG)
class NatsOptions(ConsumingOptions, _Location):
    """A server, and the streams that are read. The address comes first in forms."""

    kind: ClassVar[str] = "nats"
    title_form: ClassVar[str] = "{topics}"
    address_form: ClassVar[str] = "{host}:{port}"
    topics: Annotated[
        str,
        Field(max_length=1000, pattern=PLAIN_TEXT),
        Shown(
            "流",
            "Streams",
            help_zh="以逗号分隔，* 表示任意字符；其他流不列出。每个流是一张表，主题（subject）在 _key 列",
            help_en="Comma-separated patterns, * matches any characters; other streams are not listed. Each stream is "
            "a table; the column _key holds the subject",
            example="ORDERS, AUDIT_*",
            side="source",
        ),
    ] = "*"
    subject: Annotated[
        str,
        Field(max_length=200, pattern=r"^[^\s*>\x00-\x1f\x7f]*\{table\}[^\s*>\x00-\x1f\x7f]*$"),
        Shown(
            "目标主题（subject）",
            "Subject",
            help_zh="每个目标表的变更以 JSON 事件发布到此主题；{table} 为表名。须有一个流保存这些主题",
            help_en="Changes of each target table are published to it, as events in JSON; {table} is its name. A "
            "stream must keep these subjects",
            example="shop.{table}",
            fixed=True,
            side="target",
        ),
    ] = "zcbus.{table}"


NATS = KindSpec(
    name="NATS JetStream",
    label="NATS JetStream",
    group="message-queue",
    picture="nats",
    tested="NATS 2.15",
    model=NatsOptions,
    capabilities=sending(CAPABILITIES),
)
"""Messages of streams as rows, and rows as messages."""
