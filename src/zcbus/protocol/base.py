"""What all messages share."""

from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer

from zcbus.model.states import LoadType


class Message(BaseModel):
    """A frozen message. Unknown fields are ignored, so that an older side understands a newer one."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Connection(Message):
    """A data source as the agent and its workers need it. `repr` hides its secrets; JSON carries them."""

    kind: str
    options: dict[str, str | int | bool] = {}
    """By the names that the kind's specification gives them, without secrets."""
    secrets: dict[str, SecretStr] = {}
    tenant: str = ""
    """Whose it is: its files lie in this tenant's folder. Empty: no tenant, no files."""
    load_type: LoadType = LoadType.BULK
    """How rows are written, where it is a target."""

    @field_serializer("secrets", when_used="json")
    def _reveal(self, value: dict[str, SecretStr]) -> dict[str, str]:
        return {name: secret.get_secret_value() for name, secret in value.items()}


class TableRef(Message):
    """`schema` and `table` of a table (see zcbus.model.schema.TableName)."""

    schema_name: str
    table: str


class Reason(Message):
    """Why something is as it is: a key of the message catalogues and the facts that the message names."""

    code: str
    facts: dict[str, str] = {}
