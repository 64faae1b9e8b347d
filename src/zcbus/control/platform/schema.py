"""The base of every request and answer: snake case in the code, camel case on the wire."""

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


class Empty(Schema):
    """A request without content."""
