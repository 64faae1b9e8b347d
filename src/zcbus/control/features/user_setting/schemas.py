"""Requests and answers about users' settings."""

from typing import Annotated, Any

import orjson
from pydantic import AfterValidator, Field

from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema

LARGEST = 16_384
"""Bytes of one value as JSON."""


def _storable(value: dict[str, Any]) -> dict[str, Any]:
    try:
        size = len(orjson.dumps(value))
    except TypeError as error:
        # Halves of characters, and integers that no database keeps.
        raise field_fault("object") from error
    if size > LARGEST:
        raise field_fault("too-many-bytes", limit=LARGEST)
    return value


class SettingRecord(Schema):
    """`value` is the console's own business: the platform only keeps it."""

    name: str
    value: dict[str, Any]


class SettingsRequest(Schema):
    """The settings whose names begin with `prefix`; all of them where it is empty."""

    prefix: str = Field("", max_length=100)


class SettingChange(Schema):
    """An empty value forgets the setting."""

    name: str = Field(min_length=1, max_length=100)
    value: Annotated[dict[str, Any], AfterValidator(_storable)]
