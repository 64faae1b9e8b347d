"""Options and capabilities of OpenSearch and Elasticsearch."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, HostName, Port, ServerOptions, Shown, UserOrNone
from zcbus.connectors.spec import KindSpec

SCHEMA = "opensearch"
"""Where all tables are: there are no schemas."""


@dataclass(frozen=True, config=CONFIG)
class OpenSearchOptions(ServerOptions):
    """Indexes of a cluster whose names begin alike."""

    kind: ClassVar[str] = "opensearch"
    title_form: ClassVar[str] = "{prefix}"
    host: Annotated[HostName, Shown("主机", "Host", example="search.example.com", required=True)] = ""
    port: Port = 9200
    user: UserOrNone = ""
    prefix: Annotated[
        str,
        Field(max_length=64, pattern=r"^([a-z0-9][a-z0-9_.-]*)?$"),
        Shown(
            "索引前缀",
            "Index prefix",
            help_zh="每张表一个索引，索引名为前缀加小写的表名",
            help_en="Each table is an index, named by the prefix and the table's name in small letters",
            example="shop-",
            fixed=True,
        ),
    ] = ""
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="require：不校验服务器证书",
            help_en="require: the server's certificate is not checked",
            identifies=False,
        ),
    ] = "disable"


OPENSEARCH = KindSpec(
    name="OpenSearch",
    label="OpenSearch / Elasticsearch",
    group="document",
    picture="opensearch",
    tested="OpenSearch 2.19",
    model=OpenSearchOptions,
    capabilities=Capabilities(
        delivery="transactional",
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
        needs_key=True,
    ),
)
