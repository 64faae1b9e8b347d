"""What all parts of a document are made of."""

import re
from functools import cached_property
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from zcbus.connectors.formats.declared import DECLARATIONS, declared
from zcbus.connectors.http import paths
from zcbus.model.types import DataType, Kind

_OF_THE_CLIENT = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "upgrade"})


def _path(text: str) -> str:
    paths.steps(text)
    return text


def _port(url: str) -> str:
    urlsplit(url).port  # noqa: B018 - raises ValueError where it is none
    return url


def _whole(value: object) -> object:
    """Values of parameters may be written as numbers and truth values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _free(header: str) -> str:
    if header.lower() in _OF_THE_CLIENT:
        raise ValueError(header)
    return header


Name = Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[^\x00-\x1f\x7f]+$")]
Path = Annotated[str, Field(max_length=500), AfterValidator(_path)]
Text = Annotated[str, Field(max_length=4000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$"), BeforeValidator(_whole)]
_HOST = r"([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?"
PathOrUrl = Annotated[
    str, Field(max_length=1000, pattern=rf"^(https?://{_HOST})?([/?][^\x00-\x20\x7f]*)?$"), AfterValidator(_port)
]
"""A path behind the address, or a whole URL."""
Header = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9-]+$"), AfterValidator(_free)]
Texts = Annotated[dict[Name, Text], Field(max_length=50)]


class Part(BaseModel):
    """A part of a document."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ColumnPart(Part):
    """A column of a resource."""

    type: Annotated[str, Field(max_length=30)] = "text"
    path: Path | None = None
    """Where a record has it; without it under the column's name."""
    parent: Path | None = None
    """Where the parent's record has it."""
    unit: Literal["seconds", "milliseconds"] | None = None
    """Of a time that is a number since 1970-01-01 UTC."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: object) -> object:
        return {"type": given} if isinstance(given, str) else given

    @model_validator(mode="after")
    def _known(self) -> "ColumnPart":
        if "," in self.type.partition("(")[0] or not re.fullmatch(DECLARATIONS, f"x {self.type}"):
            raise ValueError("type")
        if self.unit is not None and self.data.kind is not Kind.TIMESTAMP_TZ:
            raise ValueError("unit: timestamptz")
        return self

    @cached_property
    def data(self) -> DataType:
        """The type."""
        return declared(f"x {self.type}")["x"]
