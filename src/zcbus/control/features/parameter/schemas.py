"""Answers of the system parameters."""

from datetime import datetime
from typing import Any

from zcbus.control.platform.schema import Schema


class ParameterRecord(Schema):
    """A named JSON value. `name` repeats `variableName` for clients that look for either."""

    variable_name: str
    name: str
    value: Any
    updated_at: datetime
