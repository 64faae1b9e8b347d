"""The base of every request and answer: snake case in the code, camel case on the wire."""

from typing import Self

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Schema(BaseModel):
    """A request or an answer. Unknown fields are ignored; a wire name that does not follow from the field's name
    (`containerid`) is given with `Field(alias=…)`."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        from_attributes=True,
        str_strip_whitespace=False,
    )

    @classmethod
    def of_row(cls, row: object) -> Self:
        """From a row whose columns are named like the fields. Validation by field name only is twice as fast."""
        return cls.model_validate(row, by_alias=False, by_name=True, from_attributes=True)


class ConfidentialSchema(Schema):
    """A request with a person's password. It is taken encrypted, over TLS, or from this host; otherwise not."""


class Empty(Schema):
    """A request without content."""
