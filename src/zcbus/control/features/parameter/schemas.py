"""Answers of the system parameters."""

from datetime import datetime
from typing import Any

from pydantic import Field

from zcbus.control.platform.schema import Schema


class ParameterRecord(Schema):
    """A named JSON value. `name` repeats `variableName` for clients that look for either; `description` is in the
    caller's language."""

    variable_name: str
    name: str
    module: str
    description: str
    value: Any
    updated_at: datetime


class ParameterChange(Schema):
    """The value that a parameter shall have."""

    variable_name: str = Field(min_length=1, max_length=100)
    value: Any


class ModuleChoice(Schema):
    """The parameters of one module."""

    module: str = Field(max_length=100)
