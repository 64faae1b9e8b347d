"""Answers of the system parameters."""

from datetime import datetime
from typing import Any

from pydantic import Field

from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.schema import Schema


class ParameterRecord(Schema):
    """A named JSON value. `name` repeats `variableName` for clients that expect either; `description` is in the
    caller's language; `updatedAt` null: shipped, as properties of containers are."""

    variable_name: str
    name: str
    module: str
    description: str
    value: Any
    updated_at: datetime | None


class ParameterPageRequest(PageRequest):
    """`search`: a part of the name or of the description."""

    search: str = Field(default="", max_length=100)


class ParameterChange(Schema):
    """The value that a parameter shall have."""

    variable_name: str = Field(min_length=1, max_length=100)
    value: Any


class ModuleChoice(Schema):
    """The parameters of one module."""

    module: str = Field(max_length=100)
