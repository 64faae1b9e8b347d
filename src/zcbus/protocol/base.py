"""Base classes of messages."""

from typing import Any

from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer, field_validator

from zcbus.kit.network.route import RouteKind
from zcbus.kit.secret_references import is_reference
from zcbus.model.states import LoadType

_REFERENCE = "_reference"
"""Ends the name of an option with a reference to a secret in JSON. No kind has an option of such a name."""


class Message(BaseModel):
    """A frozen message. Unknown fields are ignored, so that older versions accept newer messages."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class NetworkRoute(Message):
    """A way to servers; see zcbus.kit.network.Route. `repr` hides its secrets; JSON contains them."""

    name: str
    kind: RouteKind
    host: str = ""
    port: int = 0
    user: str = ""
    password: SecretStr = SecretStr("")
    key: SecretStr = SecretStr("")
    references: dict[str, str] = {}
    """References to secrets that are kept elsewhere, instead of them: by `password`, `key`."""
    host_key: str = ""
    source: str = ""
    targets: tuple[str, ...] = ()

    @field_serializer("password", "key", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class Connection(Message):
    """A data source for the agent and its workers. `repr` hides its secrets; JSON contains them."""

    kind: str
    options: dict[str, str | int | bool] = {}
    """Options by the names in the kind's specification, without secrets; references to secrets in place of them.

    In JSON the name of an option with a reference ends in `_reference`: agents that know no references refuse the
    options, and send no server the reference as a password.
    """
    secrets: dict[str, SecretStr] = {}
    tenant: str = ""
    """Owner; the source's files are in this tenant's folder. Empty: no tenant, no files."""
    route: NetworkRoute | None = None
    """The route that the options name; None: they name none, or one that there is not, or `referring_route`."""
    referring_route: NetworkRoute | None = None
    """In place of `route` one with references. Agents that know none find no route, and connect by no other."""
    load_type: LoadType = LoadType.BULK
    """How rows are written if it is a target."""

    @field_validator("options", mode="before")
    @classmethod
    def _take_references(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {name.removesuffix(_REFERENCE) if is_reference(one) else name: one for name, one in value.items()}

    @field_serializer("options", when_used="json")
    def _mark_references(self, value: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
        return {name + _REFERENCE if is_reference(one) else name: one for name, one in value.items()}

    @field_serializer("secrets", when_used="json")
    def _reveal(self, value: dict[str, SecretStr]) -> dict[str, str]:
        return {name: secret.get_secret_value() for name, secret in value.items()}


class TableRef(Message):
    """Schema and name of a table (see zcbus.model.schema.TableName)."""

    schema_name: str
    table: str


class Reason(Message):
    """A reason: a key of the message catalogues and the facts of the message."""

    code: str
    facts: dict[str, str] = {}
