"""Options of a connection to a Kafka cluster."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.options import CAPABILITIES, ConsumingOptions
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, OptionalUser, Password, Shown
from zcbus.connectors.spec import KindSpec

ROWS = "rows"
"""The one schema of tables that the platform writes; a source's topics are in another one."""
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
    user: OptionalUser = ""
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
class _Registry(KindOptions):
    """Where the schemas of a source's values are."""

    registry: Annotated[
        str,
        Field(max_length=500, pattern=r"^(https?://[A-Za-z0-9_.:\[\]/-]+)?$"),
        Shown(
            "Schema Registry 地址",
            "Schema registry",
            help_zh="填写后，消息值按 Confluent 格式（零字节、模式编号、Avro 记录）解码为 JSON，再按“消息值”处理；"
            "键不解码，应选 binary。为空时消息值原样处理",
            help_en="With it, values in Confluent's format (a zero byte, the schema's number, an Avro record) become "
            "JSON, and are then taken as Values says. Keys are not decoded: choose binary. Empty: values stay as they "
            "are",
            example="https://registry.example.com:8081",
            fixed=True,
            leads=True,
            side="source",
        ),
    ] = ""
    registryuser: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown("Schema Registry 用户名", "User of the registry", identifies=False, side="source"),
    ] = ""
    registrypassword: Annotated[
        str,
        Field(max_length=255),
        Shown("Schema Registry 密码", "Password of the registry", secret=True, side="source"),
    ] = Field(default="", repr=False)


@dataclass(frozen=True, config=CONFIG)
class _Writing(KindOptions):
    """How rows become messages of a target's topics."""

    topic: Annotated[
        str,
        Field(max_length=200, pattern=r"^[A-Za-z0-9._-]*\{table\}[A-Za-z0-9._-]*$"),
        Shown(
            "主题名称",
            "Topic name",
            help_zh="每个目标表一个主题；{table} 为表名。平台的检查点保存在 {table} 为 zcbus.state 的主题中",
            help_en="One topic for each target table; {table} is its name. The platform's checkpoints are in the topic "
            "whose {table} is zcbus.state",
            example="shop.{table}",
            fixed=True,
            side="target",
        ),
    ] = "{table}"
    format: Annotated[
        Literal["json", "debezium"],
        Shown(
            "消息格式",
            "Format of messages",
            help_zh="json：值为行，删除为空值；debezium：含 op、before、after、source 的信封。键均为主键列的 JSON 对象",
            help_en="json: the row, null for a deleted one; debezium: the envelope with op, before, after, source. "
            "Keys are JSON objects of the primary key",
            fixed=True,
            side="target",
        ),
    ] = "json"
    tombstones: Annotated[
        bool,
        Shown(
            "删除后写空值",
            "Tombstones",
            help_zh="debezium：删除信封之后再写一条空值，压缩时才会清除该键",
            help_en="debezium: a null value follows the envelope of a deletion, so that compaction removes the key",
            identifies=False,
            side="target",
        ),
    ] = True
    partitions: Annotated[
        int,
        Field(ge=1, le=1000),
        Shown(
            "分区数",
            "Partitions",
            help_zh="新建主题的分区数；同一主键总在同一分区",
            help_en="Of a new topic; a key's messages are all in one partition",
            identifies=False,
            side="target",
        ),
    ] = 1
    replication: Annotated[
        int,
        Field(ge=0, le=100),
        Shown(
            "副本数",
            "Replication factor",
            help_zh="新建主题的副本数；0 为集群的默认值",
            help_en="Of a new topic; 0: the cluster's default",
            identifies=False,
            side="target",
        ),
    ] = 0
    cleanup: Annotated[
        Literal["compact", "forever"],
        Shown(
            "清理策略",
            "Clean-up",
            help_zh="用于新建的主题。按时间删除消息的主题会被拒绝：源端未发送的列取自主题",
            help_en="Of a new topic. Topics that lose messages by time are refused: columns that the source does not "
            "send are taken from the topic",
            identifies=False,
            side="target",
        ),
    ] = "compact"
    compression: Annotated[
        Literal["none", "gzip", "snappy", "lz4", "zstd"],
        Shown("压缩", "Compression", identifies=False, side="target"),
    ] = "lz4"


@dataclass(frozen=True, config=CONFIG)
class KafkaOptions(_Writing, _Registry, ConsumingOptions, _Location):
    """A cluster and its topics. The address comes first in forms, what concerns targets last."""

    kind: ClassVar[str] = "kafka"
    title_form: ClassVar[str] = "{topics}"
    address_form: ClassVar[str] = "{servers}"


KAFKA = KindSpec(
    name="Kafka",
    label="Kafka",
    group="message-queue",
    picture="kafka",
    tested="Kafka 4.1",
    model=KafkaOptions,
    capabilities=replace(
        CAPABILITIES,
        delivery="transactional",
        ddl=True,
        default_schema=ROWS,
        comparable_target=True,
        row_errors=True,
        needs_key=True,
    ),
)
"""Messages of topics as rows."""
