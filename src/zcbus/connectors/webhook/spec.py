"""Options of a listener for webhooks."""

from fnmatch import fnmatchcase
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.acknowledging.options import CAPABILITIES, AcknowledgingOptions
from zcbus.connectors.options import CONFIG, HOST, PLAIN_TEXT, KindOptions, Shown
from zcbus.connectors.spec import KindSpec
from zcbus.connectors.webhook import schemes
from zcbus.kit.gateway_settings import MIN_PORT, parse_networks
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

_SEGMENT = r"[A-Za-z0-9_.~][A-Za-z0-9_.~-]*"
_PATH = rf"/?{_SEGMENT}(/{_SEGMENT})*"
_IDENTIFIER = r"([^:;,\x00-\x1f\x7f]+ *: *)?(\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)?"
_PEM = r"^(\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s-]*)?$"
_PUBLIC = r"^(https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[A-Za-z0-9_.~/-]*)?)?$"
SHOWN = "hub.verify_token:"
"""Before what a sender shows with its challenge."""
PART, SENDER, QUERY = "_part", "_sender", "_query"
_TEXT = DataType(Kind.TEXT, "text")
_OWN = (
    Column(PART, DataType(Kind.INT32, "integer"), nullable=False),
    Column(SENDER, _TEXT, nullable=False),
    Column(QUERY, _TEXT),
)


def _schemes(text: str) -> str:
    schemes.parse(text)
    return text


def _networks(text: str) -> str:
    parse_networks(text)
    return text


@dataclass(frozen=True, config=CONFIG)
class _Listening(KindOptions):
    """Where the service listens, and what senders call."""

    listen: Annotated[
        str,
        Field(min_length=1, max_length=255, pattern=HOST),
        Shown(
            "监听地址",
            "Listen address",
            help_zh="发布服务所在主机的地址；0.0.0.0 为所有 IPv4 地址，:: 为所有地址",
            help_en="An address of the host that runs the publish service; 0.0.0.0: all of IPv4, ::: all",
            example="0.0.0.0, 10.0.0.5",
            leads=False,
        ),
    ] = "0.0.0.0"  # noqa: S104  senders are on other hosts
    port: Annotated[
        int,
        Field(ge=MIN_PORT, le=65535),
        Shown(
            "端口",
            "Port",
            help_zh="同一主机上只有一个发布节点能监听它",
            help_en="One publish node of a host can listen on it",
            leads=False,
        ),
    ] = 8480
    url: Annotated[
        str,
        Field(max_length=500, pattern=_PUBLIC),
        Shown(
            "公开地址",
            "Public address",
            help_zh="发送方访问的地址，如反向代理的地址；连接测试据此列出各路径的完整地址",
            help_en="What senders call, as that of a reverse proxy; the connection test lists each path's address",
            example="https://hooks.example.com",
            identifies=False,
            leads=False,
        ),
    ] = ""


@dataclass(frozen=True, config=CONFIG)
class _Tls(KindOptions):
    """How the listener proves who it is."""

    certificate: Annotated[
        str,
        Field(max_length=32_000, pattern=_PEM),
        Shown(
            "证书",
            "Certificate",
            help_zh="PEM 格式的证书链。留空则为 HTTP：只应由同一主机或可信网络中的反向代理访问",
            help_en="A chain in PEM. Empty: plain HTTP, for a reverse proxy on this host or in a trusted network",
            document=True,
            identifies=False,
            leads=False,
        ),
    ] = ""
    privatekey: Annotated[
        str,
        Shown(
            "证书私钥",
            "Key of the certificate",
            help_zh="PEM 格式、无口令的私钥全文",
            help_en="The whole text of a key in PEM without a passphrase",
            secret=True,
        ),
    ] = Field(default="", max_length=8000, repr=False)


@dataclass(frozen=True, config=CONFIG)
class _Admission(KindOptions):
    """Who may send what."""

    verification: Annotated[
        str,
        Field(max_length=2000, pattern=PLAIN_TEXT),
        AfterValidator(_schemes),
        Shown(
            "验证方式",
            "Verification",
            help_zh="standard（Standard Webhooks）、github、stripe、slack、hmac 请求头 [sha256] [hex] [前缀]、"
            "token 请求头 [前缀]、basic 或 none（任何人都能写入，不安全）。不同路径写作“路径: 方式”，以分号分隔，"
            "* 表示任意字符",
            help_en="standard (Standard Webhooks), github, stripe, slack, hmac HEADER [sha256] [hex] [PREFIX], token "
            "HEADER [PREFIX], basic or none (anyone can write, unsafe). For paths of their own `path: verification`, "
            "divided by semicolons, * stands for any characters",
            example="github/*: github; orders: hmac X-Signature sha256 hex",
            required=True,
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = ""
    secret: Annotated[
        str,
        Shown(
            "密钥",
            "Secrets",
            help_zh="以空格分隔，轮换时可同时有效；只属于某路径的写作“路径=密钥”。basic 的密钥写作“用户名:密码”",
            help_en="Divided by blanks; all are good, as while they are exchanged. One for a path alone: "
            "`path=secret`. Those of basic are `user:password`",
            secret=True,
        ),
    ] = Field(default="", max_length=8000, repr=False)
    networks: Annotated[
        str,
        Field(max_length=2000, pattern=PLAIN_TEXT),
        AfterValidator(_networks),
        Shown(
            "允许的发送方网络",
            "Networks of senders",
            help_zh="以逗号分隔的地址或网段；留空则不限制",
            help_en="Addresses and networks, divided by commas; empty: all",
            example="10.0.0.0/8, 192.0.2.7",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = ""
    proxies: Annotated[
        str,
        Field(max_length=2000, pattern=PLAIN_TEXT),
        AfterValidator(_networks),
        Shown(
            "可信代理",
            "Trusted proxies",
            help_zh="其 X-Forwarded-For 中的地址视为发送方地址",
            help_en="Their X-Forwarded-For says who sends",
            example="10.0.0.2",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = ""
    limit: Annotated[
        int,
        Field(ge=1, le=16),
        Shown(
            "请求体上限（MiB）",
            "Largest body (MiB)",
            help_zh="解压之后也不得超过",
            help_en="Also when it is decompressed",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = 1
    wait: Annotated[
        int,
        Field(ge=1, le=60),
        Shown(
            "答复时限（秒）",
            "Answer within (s)",
            help_zh="行持久化之后才答复 200；超过此时间则答复 503，由发送方重发。应短于发送方的超时",
            help_en="A request is answered 200 once its rows are durable; after this time 503, and the sender repeats "
            "it. Should be shorter than senders wait",
            identifies=False,
            leads=False,
            side="source",
        ),
    ] = 8


@dataclass(frozen=True, config=CONFIG)
class WebhookOptions(_Tls, _Admission, AcknowledgingOptions, _Listening):
    """A listener, and the paths that are its tables. The address comes first in forms."""

    kind: ClassVar[str] = "webhook"
    key: Literal["text"] = "text"
    """Ids are text; not an option here."""
    title_form: ClassVar[str] = "{topics}"
    address_form: ClassVar[str] = "{listen}:{port}"
    topics: Annotated[
        str,
        Field(max_length=4000, pattern=rf"^( *{_PATH} *(, *{_PATH} *)*)?$"),
        Shown(
            "路径",
            "Paths",
            help_zh="以逗号分隔，每个路径是一张表，发送方以 POST 访问。未答复 2xx 的由发送方重发；"
            "服务停止期间发送方放弃重发的请求会丢失",
            help_en="Divided by commas; each is a table, and senders POST to it. They repeat what was not answered "
            "with 2xx; what they give up while the service is away is lost",
            example="orders, github/events",
            required=True,
            side="source",
        ),
    ] = ""
    value: Annotated[
        Literal["json", "text", "debezium", "binary"],
        Shown(
            "请求体",
            "Bodies",
            help_zh="json：JSON 对象，按“列”取值；对象列表的每个元素是一行；debezium：Debezium 的 JSON 信封，"
            "操作在 _op 列；text、binary：任意请求体，写入 _value。不符合的请求答复 400",
            help_en="json: an object, see Columns, or a list of objects, each a row; debezium: Debezium's envelopes in "
            "JSON, _op is the operation; text, binary: any body, in _value. What is not so is answered with 400",
            fixed=True,
            side="source",
        ),
    ] = "json"
    identifiers: Annotated[
        str,
        Field(max_length=2000, pattern=rf"^( *{_IDENTIFIER} *(; *{_IDENTIFIER} *)*)?$"),
        Shown(
            "事件编号",
            "Event ids",
            help_zh="_key 列的来源：请求头名称，或以点开头的 JSON 路径；不同路径写作“路径: 来源”，以分号分隔。"
            "留空则按验证方式：webhook-id、X-GitHub-Delivery、.id（stripe）、.event_id（slack）",
            help_en="Where the column _key is taken from: a header, or a path in the JSON that begins with a dot; for "
            "paths of their own `path: id`, divided by semicolons. Empty: as the verification has it, which is "
            "webhook-id, X-GitHub-Delivery, .id (stripe), .event_id (slack)",
            example="orders: X-Order-Id; shop/*: .data.id",
            fixed=True,
            side="source",
        ),
    ] = ""

    def paths(self) -> list[str]:
        """The paths without their first slash, each once."""
        return list(dict.fromkeys(one.strip().removeprefix("/") for one in self.topics.split(",") if one.strip()))

    def is_selected(self, topic: str) -> bool:
        return topic in self.paths()

    def own_columns(self, topic: str) -> tuple[Column, ...]:
        return _OWN

    def notice(self, topic: str) -> str:
        return "senders-repeat" if super().notice(topic) == "delivery-repeats" else "requests-not-kept"

    def scheme(self, path: str) -> schemes.Scheme | None:
        """How senders of the path prove who they are; None: it is not said, so none can."""
        return schemes.first(schemes.parse(self.verification), path)

    def secrets_of(self, path: str) -> list[str]:
        """Those of the path alone, else those of all."""
        return [word for word in self._words(path) if not word.startswith(SHOWN)]

    def tokens_of(self, path: str) -> list[str]:
        """What a sender shows with its challenge. It travels in addresses, so it is no secret that requests are signed
        with."""
        return [word.removeprefix(SHOWN) for word in self._words(path) if word.startswith(SHOWN)]

    def _words(self, path: str) -> list[str]:
        own, common = list[str](), list[str]()
        for word in self.secret.split():
            pattern, equals, secret = word.partition("=")
            if equals and any(fnmatchcase(one, pattern) for one in self.paths()):
                own += [secret] if fnmatchcase(path, pattern) else []
            else:
                common.append(word)
        return own or common

    def identifier(self, path: str) -> str:
        """A header, or a path that begins with a dot; empty: none."""
        listed = schemes.lists(self.identifiers)
        found = next((place for pattern, place in listed if fnmatchcase(path, pattern)), "")
        scheme = self.scheme(path)
        return found or (scheme.identifier if scheme is not None else "")

    def public(self, path: str) -> str:
        """What senders call, as far as it is known."""
        plain = f"http{'s' if self.certificate else ''}://{self.address}"
        return f"{self.url.rstrip('/') or plain}/{path}"


WEBHOOK = KindSpec(
    name="Webhook",
    label="Webhook",
    group="http",
    picture="webhook",
    tested="Standard Webhooks 1.0",
    model=WebhookOptions,
    capabilities=CAPABILITIES,
)
"""Requests to paths as rows."""
