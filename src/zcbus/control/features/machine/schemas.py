"""Requests and answers of machines."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.control.store.tables.container import AGENT_ID_LENGTH

DeviceId = Annotated[str, StringConstraints(min_length=1, max_length=AGENT_ID_LENGTH)]


class MachineChoice(Schema):
    """The host of an agent. `decrypt` is accepted for older clients; a password is never answered."""

    device_id: DeviceId
    decrypt: bool = False


class MachineRecord(Schema):
    """Credentials of a host. `password` is always empty; `passwordKept`: one is stored. `hostKey`: the fingerprint of
    the key that the host must present; empty before the first save."""

    device_id: str
    host: str
    port: int
    user: str
    password: str
    password_kept: bool
    host_key: str
    updated_at: datetime | None


class MachineUpdate(ConfidentialSchema):
    """An empty password keeps the stored one, an empty host is the name that the agent reports. `deviceId`: left out,
    the only host there is. `hostKey`: the fingerprint of a key that replaces the pinned one."""

    device_id: DeviceId | None = None
    host: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9.:_-]*$", max_length=255)] = ""
    port: int = Field(default=22, ge=1, le=65535)
    user: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    password: str = Field(default="", max_length=200)
    host_key: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = ""
