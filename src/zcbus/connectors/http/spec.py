"""Options and capabilities of HTTP interfaces."""

from collections.abc import Sequence
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, Shown
from zcbus.connectors.shipped import ShippedDocument
from zcbus.connectors.spec import KindSpec

SCHEMA = "http"
"""The one schema of an interface."""
MAX_DOCUMENT_LENGTH = 32_000
"""Characters."""


def _checked(text: str) -> str:
    # The parser is loaded by who has a connection of this kind, not by every command.
    from zcbus.connectors.http.document_text import read

    if text:
        read(text)
    return text


def _signing(text: str) -> str:
    from zcbus.connectors.http.target.signing import secrets_of

    secrets_of(text)
    return text


def _with_port(url: str) -> str:
    urlsplit(url).port  # noqa: B018 - raises ValueError where it is none
    return url


_ONE_LINE = r"^[^\x00-\x1f\x7f]*$"
"""Of what becomes a header."""


@dataclass(frozen=True, config=CONFIG)
class HttpOptions(KindOptions):
    """An interface, who signs in, and the document that declares what is asked."""

    kind: ClassVar[str] = "http"
    title_form: ClassVar[str] = "{url}"
    routed: ClassVar[bool] = True
    url: Annotated[
        str,
        Field(
            max_length=500,
            pattern=r"^(https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[^\x00-\x20\x7f?#]*)?)?$",
        ),
        AfterValidator(_with_port),
        Shown(
            "服务地址",
            "Address",
            help_zh="接口的 URL；文档中的路径接在其后",
            help_en="URL of the interface; paths of the document go behind it",
            example="https://api.example.com/v1",
            required=True,
            fixed=True,
            leads=True,
        ),
    ] = ""
    definition: Annotated[
        str,
        Field(max_length=MAX_DOCUMENT_LENGTH),
        AfterValidator(_checked),
        Shown(
            "接口文档",
            "Document",
            help_zh="YAML 或 JSON：认证；源端的分页、资源（即表）及其主键、列和游标；"
            "目标端的 targets（写入请求或 Webhook）。不含密码和密钥",
            help_en="YAML or JSON: sign-in; of a source pages, resources (tables) with key, columns and cursor; of a "
            "target `targets`: requests that write, or webhooks. Has no secrets",
            required=True,
            document=True,
            identifies=False,
        ),
    ] = ""
    parameters: Annotated[
        str,
        Field(max_length=2000, pattern=PLAIN_TEXT),
        Shown(
            "参数",
            "Parameters",
            help_zh="以逗号分隔的“名称=值”，替换文档中的 ${名称}",
            help_en="`name=value`, divided by commas, for ${name} in the document",
            example="owner=acme, repo=shop",
            fixed=True,
        ),
    ] = ""
    account: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "账号",
            "Account",
            help_zh="用户名、客户端 ID 或应用 ID，视认证方式而定",
            help_en="User, client ID or app ID, as the document's way to sign in wants",
        ),
    ] = ""
    secret: Annotated[
        str,
        Shown(
            "密钥",
            "Secret",
            help_zh="密码、令牌、API 密钥或客户端密钥",
            help_en="Password, token, API key or client secret",
            secret=True,
        ),
    ] = Field(default="", max_length=4000, pattern=_ONE_LINE, repr=False)
    refresh: Annotated[
        str,
        Shown(
            "刷新令牌",
            "Refresh token",
            help_zh="仅用于 OAuth2 的 refresh-token 方式",
            help_en="Of OAuth2 by a refresh token",
            secret=True,
        ),
    ] = Field(default="", max_length=4000, pattern=_ONE_LINE, repr=False)
    signing: Annotated[
        str,
        AfterValidator(_signing),
        Shown(
            "签名密钥",
            "Signing secret",
            help_zh="为 Webhook 事件签名（Standard Webhooks）：whsec_ 后接 Base64，或任意文本；"
            "轮换期间以空格分隔新旧两个密钥",
            help_en="Signs events of webhooks (Standard Webhooks): whsec_ and Base64, or any text; while receivers "
            "change over, the new and the old one divided by a blank",
            secret=True,
            side="target",
        ),
    ] = Field(default="", max_length=1000, pattern=_ONE_LINE, repr=False)
    interval: Annotated[
        int,
        Field(ge=1, le=86_400),
        Shown(
            "查询间隔（秒）",
            "Interval (s)",
            help_zh="每隔多少秒查询一次变更",
            help_en="Seconds between polls for changes",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = 60
    overlap: Annotated[
        int,
        Field(ge=0, le=86_400),
        Shown(
            "重叠时间（秒）",
            "Overlap (s)",
            help_zh="服务返回变更可能滞后的秒数；这段时间内的记录会重复查询",
            help_en="Seconds by which the service may show a change late; records of that time are asked for again",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = 60


def _shipped() -> Sequence[ShippedDocument]:
    from zcbus.connectors.http.documents import shipped

    return shipped()


HTTP = KindSpec(
    name="HTTP",
    label="HTTP / REST",
    group="http",
    tested="Datasette 0.65",
    model=HttpOptions,
    capabilities=Capabilities(
        capture="watermark",
        deletes="by-comparison",
        delivery="idempotent",
        row_errors=True,
        needs_key=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        preview=True,
        imports=True,
    ),
    documents=_shipped,
)
