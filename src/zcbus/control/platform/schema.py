"""The base of every request and answer: snake case in the code, camel case on the wire."""

from collections.abc import Set
from typing import Any, Self, get_args

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Schema(BaseModel):
    """A request or an answer. Unknown fields are ignored; a wire name that does not follow from the field's name
    (`containerid`) is given with `Field(alias=…)`. Validator and serialiser are made at the first use: at the start,
    those of all calls together took a third of the time until the control plane answers."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        from_attributes=True,
        str_strip_whitespace=False,
        defer_build=True,
    )

    @classmethod
    def of_row(cls, row: object) -> Self:
        """From a row whose columns are named like the fields. Validation by field name only is twice as fast."""
        return cls.model_validate(row, by_alias=False, by_name=True, from_attributes=True)


class ConfidentialSchema(Schema):
    """A request, or a part of requests, with a password of a person or a server. It is taken encrypted, over TLS, or
    from this host; otherwise not."""


class Empty(Schema):
    """A request without content."""

    # It is a default, which FastAPI describes while it reads the route.
    model_config = ConfigDict(defer_build=False)


def is_confidential(kind: Any, passed: Set[Any] = frozenset()) -> bool:
    """Whether a request of this type, or a part of it, is a ConfidentialSchema. `passed`: types that are looked into
    already; they may contain themselves."""
    if kind in passed:
        return False
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return any(is_confidential(part, passed) for part in get_args(kind))
    parts = (field.annotation for field in kind.model_fields.values())
    return issubclass(kind, ConfidentialSchema) or any(is_confidential(part, passed | {kind}) for part in parts)
