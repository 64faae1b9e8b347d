"""Options and capabilities of Cassandra."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, AccountOptions, AddressOptions, HostName, Shown, UserOrNone
from zcbus.connectors.polling.options import Interval, Overlap
from zcbus.connectors.spec import KindSpec

SCHEMA = "cassandra"
"""Where all tables are: a connection has one keyspace."""


@dataclass(frozen=True, config=CONFIG)
class CassandraOptions(AccountOptions, AddressOptions):
    """One keyspace of a cluster, by the native protocol."""

    kind: ClassVar[str] = "cassandra"
    title_form: ClassVar[str] = "{keyspace}"
    host: Annotated[
        HostName,
        Shown(
            "主机",
            "Host",
            help_zh="集群中的任一节点；其余节点自动发现，均须可达",
            help_en="Any node of the cluster; the others are found by it and must be reachable",
            example="cassandra.example.com",
            required=True,
        ),
    ] = ""
    port: Annotated[int, Field(ge=1, le=65535), Shown("CQL 端口", "CQL port")] = 9042
    user: UserOrNone = ""
    keyspace: Annotated[
        str,
        Field(max_length=222, pattern=r"^\w*$"),
        Shown(
            "键空间",
            "Keyspace",
            help_zh="区分大小写；必须已存在",
            help_en="In its exact case; it must exist",
            example="shop",
            required=True,
            fixed=True,
        ),
    ] = ""
    datacenter: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown(
            "数据中心",
            "Datacenter",
            help_zh="请求发往此数据中心的节点；为空表示上述主机所在的数据中心",
            help_en="Whose nodes are asked; empty: that of the host above",
            example="dc1",
            identifies=False,
        ),
    ] = ""
    consistency: Annotated[
        Literal["LOCAL_QUORUM", "QUORUM", "ALL"],
        Shown(
            "一致性级别",
            "Consistency",
            help_zh="读写表数据时须应答的副本。平台自身的状态始终由所有数据中心的多数副本决定",
            help_en="Replicas that must answer when rows are read and written. The platform's own state is always "
            "decided by most replicas of all datacenters",
            identifies=False,
        ),
    ] = "LOCAL_QUORUM"
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="require：不校验服务器证书；verify-full：每个节点的证书都必须含有上述主机名",
            help_en="require: the server's certificate is not checked; verify-full: the certificate of each node must "
            "have the name of the host above",
            identifies=False,
        ),
    ] = "disable"
    watermark: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "水位列",
            "Watermark columns",
            help_zh="每次修改行都会增大的列，以逗号分隔，区分大小写；各表使用其中第一个存在的列。"
            "每次查询都会扫描全表的主键与水位列；水位为空的行会使该表停止。删除的行只能由比对发现",
            help_en="Columns that grow with each change of a row, divided by commas, in their exact case; each table "
            "uses the first that it has. Each poll scans key and watermark of the complete table; a row without a "
            "watermark stops the table. Deleted rows are found by comparison only",
            example="updated_at, modified_at",
            identifies=False,
            side="source",
        ),
    ] = "updated_at, modified_at"
    interval: Interval = 10
    overlap: Overlap = 5
    partition: Annotated[
        Literal["whole-key", "first-column"],
        Shown(
            "新建表的分区键",
            "Partition key of new tables",
            help_zh="whole-key：主键的全部列，各行均匀分布；first-column：主键的第一列，其余为聚簇列，"
            "可按第一列查询，但同值的行都在同一分区",
            help_en="whole-key: all columns of the key, so that rows are spread evenly; first-column: the first one, "
            "the others cluster rows: they can be queried by it, and all rows of one value are in one partition",
            identifies=False,
            side="target",
        ),
    ] = "whole-key"


CASSANDRA = KindSpec(
    name="Cassandra",
    label="Apache Cassandra",
    group="big-data",
    picture="cassandra",
    tested="Cassandra 5.0",
    model=CassandraOptions,
    capabilities=Capabilities(
        capture="watermark",
        deletes="by-comparison",
        delivery="transactional",
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
        needs_key=True,
    ),
)
