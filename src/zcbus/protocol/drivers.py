"""Drivers that a control plane distributes: what an agent keeps on its host, and how far it is."""

from typing import Literal

from pydantic import Field

from zcbus.protocol.base import Message, Reason

DRIVER_FILE = r"^([A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,123}\.jar|zcbus-[A-Za-z0-9_.+!]{1,50}-py3-none-any\.whl)$"
"""A file name without folders, which connections give as their driver; or a package of the agent itself."""

MAX_DRIVERS = 200


class Driver(Message):
    """A jar file or a package of agents that the agent keeps in its folder of drivers. `size` in bytes; `sha256` in
    hexadecimal; `signature`: Ed25519 over the file's bytes in base64, empty: none."""

    id: str
    name: str = Field(pattern=DRIVER_FILE)
    size: int = Field(ge=1)
    sha256: str
    signature: str = Field("", max_length=200)


class DriverState(Message):
    """How far an agent is with a driver. `reason`: of the last failure; it tries again."""

    id: str
    state: Literal["present", "failed"]
    reason: Reason | None = None
