"""Typed options of data sources: one model per kind is storage, wire, validation, form, link file and documentation.

A kind's model is a pydantic dataclass that derives from `KindOptions`; each option is an annotated field:
`port: Annotated[int, Field(ge=1, le=65535), Shown("端口", "Port")] = 5432`. Those that many kinds have are named below.
There are no free connection URLs and no driver properties.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, fields
from dataclasses import dataclass as plain_dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, cast, get_args

from annotated_types import Ge, Le, MaxLen
from pydantic import ConfigDict, Field, InstanceOf, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

from zcbus.connectors.errors import RouteMissing
from zcbus.kit.errors import TerminalError
from zcbus.kit.network import Route
from zcbus.kit.secret_references import EXPECTED, KeptElsewhere, Reference, is_reference, parse_reference
from zcbus.model.states import LoadType

CONFIG = ConfigDict(extra="forbid", hide_input_in_errors=True)

PLAIN_TEXT = r"^[^\x00-\x1f\x7f]*$"
"""Text without control characters."""
HOST = r"^[A-Za-z0-9_.:%-]+$"
"""One host name or address; no lists, paths or parameters, which drivers would read as something else."""

ROUTE = "route"
"""The option that names a route of the network configuration."""
DRIVER = "driver"
"""The option that names a driver file of the hosts."""
OptionValue = str | int | bool
Document = Mapping[str, OptionValue | None]
"""Options by their names, as they are stored and sent."""


class OptionsInvalid(TerminalError):
    """An option is missing or wrong. Facts: kind, option, expected (empty: it is missing); of a text of several lines
    those of OptionFault."""

    code = "options-invalid"


class OptionFault(ValueError):
    """A fault in the text of a multi-line option. Raised by its validator."""

    def __init__(self, line: int, place: str, problem: str, detail: str = "") -> None:
        """`line`: from 1; `place`: path of the value (`resources.0.key`), may be empty; `problem`: a key of the
        catalogues, after `problem.`; `detail`: the expected or found value, in no language."""
        super().__init__(f"{line}: {place}: {problem} {detail}")
        self.facts = {"line": line, "place": place, "problem": problem, "detail": detail}


@plain_dataclass(frozen=True, slots=True)
class Shown:
    """Display of an option, and the meaning of its value."""

    zh: str
    en: str
    help_zh: str = ""
    help_en: str = ""
    example: str = ""
    required: bool = False
    """In addition to those without a default: must not be empty."""
    secret: bool = False
    """Write-only: stored encrypted, never shown."""
    identifies: bool = True
    """Connections that differ in it lead to different databases or accounts."""
    fixed: bool = False
    """Identifies the database: cannot change once tables are replicated, since positions belong to it."""
    leads: bool | None = None
    """Decides where secrets are sent, or how safely: changing it requires entering them again. None: every option that
    is not `fixed` does; another database of the same server is the same destination."""
    side: Literal["", "source", "target"] = ""
    """The side that it matters for, whose forms have it; empty: both."""
    document: bool = False
    """A text of several lines."""


@plain_dataclass(frozen=True, slots=True)
class Option:
    """One option as a form needs it."""

    name: str
    type: Literal["text", "integer", "boolean", "secret", "choice", "document", "route", "driver"]
    shown: Shown
    required: bool
    default: OptionValue | None
    choices: tuple[str, ...]
    minimum: int
    maximum: int
    """Characters for text, documents and secrets, the greatest value for integers. The model keeps it."""

    @property
    def expected(self) -> str:
        """An example of a valid value."""
        if self.choices:
            return ", ".join(self.choices)
        if self.type == "integer":
            return f"{self.minimum}–{self.maximum}"
        return self.shown.example or f"≤ {self.maximum}"


@dataclass(frozen=True, config=CONFIG)
class KindOptions:
    """Options common to all kinds. `repr` does not show secrets. Names of options are single lower-case words."""

    kind: ClassVar[str] = ""
    title_form: ClassVar[str] = ""
    """Display name of the database, by options: `{database}`."""
    address_form: ClassVar[str] = ""
    """Address, by options: `{host}:{port}`; empty: as the title."""
    routed: ClassVar[bool] = False
    """Whether its connections may take a route: all that it opens are opened by `way`."""
    _: KW_ONLY
    route: Annotated[
        str,
        Field(max_length=50, pattern=PLAIN_TEXT),
        Shown(
            "网络路由",
            "Network route",
            help_zh="网络配置中的名称：经堡垒机、代理或指定的源地址连接。留空则直接连接",
            help_en="A name of the network configuration: through a bastion, a proxy or from a source address. Empty: "
            "directly",
        ),
    ] = ""
    """Offered for kinds that are `routed`."""
    via: InstanceOf[Route] | None = None
    """The route of that name. Set by the engine."""
    tenant: str = ""
    """Whose connection it is. Set by the engine."""
    lock_wait: int = 10
    """Seconds for which a target's session waits for a lock. Set by the engine."""
    load_type: LoadType = LoadType.BULK
    """How a target's session writes rows. Set by the engine."""

    def __getattribute__(self, name: str) -> Any:
        """A secret that is kept elsewhere is read at each access, so each new connection takes it as it is then. Raises
        what `kit.secret_references.resolve` raises."""
        value = super().__getattribute__(name)
        return value.read() if type(value) is KeptElsewhere else value

    @property
    def title(self) -> str:
        """Display name of the database."""
        return self.title_form.format_map(self.document())

    @property
    def address(self) -> str:
        """Where it is: `host:port`, a URL; for a kind without one the title."""
        return self.address_form.format_map(self.document()) or self.title

    @property
    def place(self) -> str:
        """Both in one text."""
        return f"{self.address}/{self.title}" if self.address_form else self.title

    @property
    def way(self) -> Route | None:
        """The route by which every connection is made; None: directly. Raises RouteMissing: a connection that was
        meant for a route is never made without."""
        if self.route and self.via is None:
            raise RouteMissing(route=self.route)
        return self.via

    def document(self) -> dict[str, OptionValue]:
        """All options that are no secrets."""
        return {option.name: getattr(self, option.name) for option in options_of(type(self)) if not option.shown.secret}

    def secrets(self) -> dict[str, str]:
        """All secrets."""
        return {option.name: getattr(self, option.name) for option in options_of(type(self)) if option.shown.secret}


HostName = Annotated[str, Field(max_length=255, pattern=HOST)]
Port = Annotated[int, Field(ge=1, le=65535), Shown("端口", "Port")]
User = Annotated[str, Field(max_length=128, pattern=PLAIN_TEXT), Shown("用户名", "User", required=True)]
OptionalUser = Annotated[str, Field(max_length=128, pattern=PLAIN_TEXT), Shown("用户名", "User")]
UserOrNone = Annotated[
    str,
    Field(max_length=128, pattern=PLAIN_TEXT),
    Shown("用户名", "User", help_zh="为空表示不登录", help_en="Empty: without login"),
]
Password = Annotated[str, Field(max_length=255), Shown("密码", "Password", secret=True)]
"""Its default is `Field(default="", repr=False)`: `repr` is no part of an annotation."""


@dataclass(frozen=True, config=CONFIG)
class AddressOptions(KindOptions):
    """A server: the first two options of a form. A kind declares again what it describes otherwise, its port in any
    case; the order stays."""

    address_form: ClassVar[str] = "{host}:{port}"
    host: Annotated[HostName, Shown("主机", "Host", example="db.example.com, 10.0.0.1")]
    port: Port


@dataclass(frozen=True, config=CONFIG)
class AccountOptions(KindOptions):
    """Who logs in. Bases of a model give their options from the last to the first: what comes between address and
    account is a base between them."""

    user: User = ""
    password: Password = Field(default="", repr=False)


@dataclass(frozen=True, config=CONFIG)
class ServerOptions(AccountOptions, AddressOptions):
    """A server whose connections may take a route, and who logs in: the first four options of a form."""

    routed: ClassVar[bool] = True


@dataclass(frozen=True, config=CONFIG)
class ConnectionOptions(ServerOptions):
    """A database of a server, and who logs in."""

    title_form: ClassVar[str] = "{database}"
    database: Annotated[
        str, Field(max_length=128, pattern=PLAIN_TEXT), Shown("数据库", "Database", required=True, fixed=True)
    ] = ""
    tls: Annotated[
        Literal["disable", "prefer", "require", "verify-full"], Shown("加密传输", "TLS", identifies=False)
    ] = "prefer"


def options_of(model: type[KindOptions]) -> tuple[Option, ...]:
    """A kind's options in the order of its form."""
    # For mypy an instance's __hash__ is the class's own.
    return _options_of(cast("Any", model))


@lru_cache(maxsize=256)
def _options_of(model: type[KindOptions]) -> tuple[Option, ...]:
    described: Mapping[str, FieldInfo] = cast("Any", model).__pydantic_fields__
    found = [
        _option(field.name, described[field.name], shown)
        for field in fields(model)
        for shown in described[field.name].metadata
        if isinstance(shown, Shown)
    ]
    route = [option for option in found if option.name == ROUTE]
    return (*(option for option in found if option.name != ROUTE), *(route if model.routed else ()))


def parse(model: type[KindOptions], document: Document, **session: Any) -> Any:
    """The options of a document; `session`: values set by the engine. Null equals a missing option. Raises
    OptionsInvalid."""
    known = {option.name: option for option in options_of(model)}
    given = {name: value for name, value in document.items() if value is not None}
    for name in given:
        if name not in known:
            raise OptionsInvalid(kind=model.kind, option=name, expected=", ".join(known))
    for option in known.values():
        if option.required and given.get(option.name, "") == "":
            raise OptionsInvalid(kind=model.kind, option=option.name, expected="")
    try:
        return _adapter(cast("Any", model)).validate_python({**given, **session})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name, fault = str(first["loc"][0]), first.get("ctx", {}).get("error")
        where = fault.facts if isinstance(fault, OptionFault) else {}
        raise OptionsInvalid(kind=model.kind, option=name, expected=known[name].expected, **where) from None


def parse_referring(model: type[KindOptions], document: Document, references: Mapping[str, str], **session: Any) -> Any:
    """As `parse`; `references`: texts of references by the secrets that they stand for. Raises OptionsInvalid."""
    options = parse(model, {**document, **references}, **session)
    for name in references:
        reference = _reference(model, name, references[name])
        if reference is not None:
            object.__setattr__(options, name, KeptElsewhere(reference, options.tenant))
    return options


def references_in(model: type[KindOptions], document: Document) -> dict[str, str]:
    """The references that stand in a document instead of secrets, by name. Raises OptionsInvalid."""
    secrets = {name: str(document[name]) for name in _secret_names(model) if document.get(name) is not None}
    return {name: text for name, text in secrets.items() if _reference(model, name, text) is not None}


def public_document(model: type[KindOptions], document: Document) -> dict[str, OptionValue | None]:
    """A document without its secrets; references to secrets are none."""
    secret = _secret_names(model)
    return {name: value for name, value in document.items() if name not in secret or is_reference(value)}


def _secret_names(model: type[KindOptions]) -> set[str]:
    return {option.name for option in options_of(model) if option.shown.secret}


def _reference(model: type[KindOptions], name: str, text: str) -> Reference | None:
    try:
        return parse_reference(text)
    except ValueError:
        raise OptionsInvalid(kind=model.kind, option=name, expected=EXPECTED) from None


@lru_cache(maxsize=256)
def _adapter(model: type[KindOptions]) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _option(name: str, field: FieldInfo, shown: Shown) -> Option:
    choices = tuple(str(choice) for choice in get_args(field.annotation))
    kinds: dict[Any, Literal["integer", "boolean", "text"]] = {int: "integer", bool: "boolean"}
    limits = [limit for limit in field.metadata if isinstance(limit, Le | MaxLen)]
    least = next((limit.ge for limit in field.metadata if isinstance(limit, Ge)), 0)
    most = next((limit.le if isinstance(limit, Le) else limit.max_length for limit in limits), 255)
    required = field.is_required() or shown.required
    plain = "secret" if shown.secret else "document" if shown.document else kinds.get(field.annotation, "text")
    return Option(
        name=name,
        type="route" if name == ROUTE else "driver" if name == DRIVER else "choice" if choices else plain,
        shown=shown,
        required=required,
        default=None if required or shown.secret else field.default,
        choices=choices,
        minimum=int(str(least)),
        maximum=int(str(most)),
    )
