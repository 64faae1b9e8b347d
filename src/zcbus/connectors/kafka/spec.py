"""Options of a connection to a Kafka cluster."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.options import CAPABILITIES, ConsumingOptions
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, Password, Shown
from zcbus.connectors.spec import KindSpec

_SERVER = r"(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"


@dataclass(frozen=True, config=CONFIG)
class _Location(KindOptions):
    """Where the cluster is, and who signs in."""

    servers: Annotated[
        str,
        Field(max_length=1000, pattern=rf"^({_SERVER}(,{_SERVER})*)?$"),
        Shown(
            "服务器",
            "Servers",
            help_zh="引导服务器，以逗号分隔，默认端口 9092。容器中的主机还须能访问集群公布的各 Broker 地址",
            help_en="Bootstrap servers, divided by commas; their port is 9092 by default. The container's hosts must "
            "reach the addresses that the brokers advertise, too",
            example="kafka-1:9092,kafka-2:9092",
            required=True,
        ),
    ] = ""
    security: Annotated[
        Literal["plaintext", "tls", "sasl", "sasl+tls"],
        Shown("安全协议", "Security", help_zh="sasl 以用户名和密码登录", help_en="sasl: signs in by user and password"),
    ] = "plaintext"
    mechanism: Annotated[
        Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"],
        Shown("SASL 机制", "SASL mechanism", identifies=False),
    ] = "SCRAM-SHA-512"
    user: Annotated[str, Field(max_length=128, pattern=PLAIN_TEXT), Shown("用户名", "User")] = ""
    password: Password = Field(default="", repr=False)
    ca: Annotated[
        str,
        Field(max_length=16_000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"),
        Shown(
            "CA 证书",
            "Authority",
            help_zh="PEM 格式的证书全文，服务器证书由其签发；为空时信任系统的证书。服务器名称总是核对",
            help_en="Certificates as PEM text that vouch for the servers'; empty: those that the host trusts. Names of "
            "servers are always checked",
            identifies=False,
        ),
    ] = ""


@dataclass(frozen=True, config=CONFIG)
class KafkaOptions(ConsumingOptions, _Location):
    """A cluster and its topics. The address comes first in forms."""

    kind: ClassVar[str] = "kafka"
    title_form: ClassVar[str] = "{topics}"
    address_form: ClassVar[str] = "{servers}"


KAFKA = KindSpec(
    name="Kafka",
    label="Kafka",
    group="message-queue",
    model=KafkaOptions,
    capabilities=CAPABILITIES,
)
"""Messages of topics as rows."""
