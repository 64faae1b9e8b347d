"""Types of the system parameters, and their modules."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from zcbus.control.features.parameter.errors import ParameterValueError

SYSTEM = "system"
ALERT = "alert"

Picture = Annotated[
    str, StringConstraints(pattern=r"^$|^data:image/(png|jpeg|svg\+xml);base64,[A-Za-z0-9+/=]+$", max_length=50_000)
]
"""Held in the value itself: the console may load pictures from nowhere else. Empty: none."""
WebAddress = Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$", max_length=500)]


class SystemConfiguration(BaseModel):
    """`sys_config`; further fields are kept unchanged."""

    model_config = ConfigDict(extra="allow", strict=True)

    isDeleteCode: bool  # noqa: N815  the specification's name
    leftLowerText: str = Field(max_length=200)  # noqa: N815
    countdown: int = Field(ge=1, le=3600)
    homeLogo: Picture = ""  # noqa: N815
    homeHeaderText: str = Field("", max_length=40)  # noqa: N815
    footerTxt: str = Field("", max_length=200)  # noqa: N815
    caseNumber: str = Field("", max_length=50)  # noqa: N815


_DEFINED: dict[str, tuple[str, TypeAdapter[Any]]] = {
    "sys_config": (SYSTEM, TypeAdapter(SystemConfiguration)),
    "front_addresses": (SYSTEM, TypeAdapter(dict[str, WebAddress])),
    "source_addresses": (SYSTEM, TypeAdapter(Annotated[list[WebAddress], Field(max_length=100)])),
    "alert_expiry_hours": (ALERT, TypeAdapter(Annotated[int, Field(ge=1, le=8_760, strict=True)])),
    "alert_lag_seconds": (ALERT, TypeAdapter(Annotated[int, Field(ge=1, le=86_400, strict=True)])),
    "api_log_days": (SYSTEM, TypeAdapter(Annotated[int, Field(ge=1, le=3_650, strict=True)])),
    # At least a month: a user cannot have the record of an act removed at once.
    "operation_log_days": (SYSTEM, TypeAdapter(Annotated[int, Field(ge=30, le=3_650, strict=True)])),
    # At least a month: loads that ended so long ago are recorded when they are noticed late.
    "load_history_days": (SYSTEM, TypeAdapter(Annotated[int, Field(ge=30, le=3_650, strict=True)])),
    "api_token_days": (SYSTEM, TypeAdapter(Annotated[int, Field(ge=1, le=3_650, strict=True)])),
    "recycle_bin_days": (SYSTEM, TypeAdapter(Annotated[int, Field(ge=1, le=3_650, strict=True)])),
    "verification_percent": (SYSTEM, TypeAdapter(Annotated[float, Field(ge=0, le=100, strict=True)])),
    "alert_held_log_mb": (ALERT, TypeAdapter(Annotated[int, Field(ge=1, le=10_000_000, strict=True)])),
}


def with_addresses(value: object, addresses: Mapping[str, str]) -> object:
    """The system's configuration with the addresses that the host's owner set; other values as they are."""
    return {**value, **addresses} if isinstance(value, dict) else value


def without_addresses(variable_name: str, value: object, addresses: Mapping[str, str]) -> object:
    """The value to store. Raises ParameterValueError for an address that is not as the host's owner set it: a user
    who could change where consoles send their calls would receive the sessions of all."""
    if not isinstance(value, dict):
        return value
    for name, address in addresses.items():
        if value.get(name, address) != address:
            raise ParameterValueError(name=variable_name, place=name)
    return {name: inner for name, inner in value.items() if name not in addresses}


def module_of(variable_name: str) -> str:
    """The module a parameter belongs to."""
    module, _ = _DEFINED.get(variable_name, (SYSTEM, None))
    return module


def check_value(variable_name: str, value: object, before: object) -> None:
    """Raise ParameterValueError for a value that the parameter cannot have; one that is not defined here keeps its
    kind of JSON value."""
    if variable_name not in _DEFINED:
        if type(value) is not type(before):
            raise ParameterValueError(name=variable_name, place="value")
        return
    try:
        _DEFINED[variable_name][1].validate_python(value)
    except ValidationError as error:
        part = ".".join(str(step) for step in error.errors()[0]["loc"]) or "value"
        raise ParameterValueError(name=variable_name, place=part) from error
