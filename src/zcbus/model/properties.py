"""Properties of containers, which apply to the workers of all their hosts.

The server validates values by this table and publishes it to the console; agents and workers take defaults from it.
Texts about each (`property.<key>.title`, `property.<key>.help`) are in the message catalogues.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Unit = Literal["MiB", "seconds", "files", "records"]


@dataclass(frozen=True, slots=True)
class Property:
    """An integer property. `default` None: each host has its own.

    `restart`: a change takes effect at the next start of a service's process, else at once.
    """

    module: str
    name: str
    unit: Unit
    least: int
    most: int
    default: int | None
    restart: bool
    variable: str = ""
    """Environment variable for workers; empty: the agent applies it."""

    @property
    def key(self) -> str:
        return f"{self.module}.{self.name}"


WORKER_MEMORY = Property("worker", "memory", "MiB", 128, 65_536, None, True, "ZCBUS_WORKER_MEMORY_MB")
BATCH_BYTES = Property("batch", "bytes", "MiB", 1, 32, 32, True, "ZCBUS_BATCH_MB")
BATCH_RECORDS = Property("batch", "records", "records", 1, 5_000, 5_000, True, "ZCBUS_BATCH_RECORDS")
LOG_SIZE = Property("logging", "size", "MiB", 1, 1_024, 8, True)
LOG_FILES = Property("logging", "files", "files", 0, 100, 4, True)
STOP_SECONDS = Property("supervision", "stop", "seconds", 1, 3_600, 30, False)
STUCK_SECONDS = Property("supervision", "stuck", "seconds", 30, 86_400, 90, False)
RETRY_SECONDS = Property("supervision", "retry", "seconds", 5, 86_400, 60, False)

PROPERTIES: Mapping[str, Property] = MappingProxyType(
    {
        one.key: one
        for one in (
            WORKER_MEMORY,
            BATCH_BYTES,
            BATCH_RECORDS,
            LOG_SIZE,
            LOG_FILES,
            STOP_SECONDS,
            STUCK_SECONDS,
            RETRY_SECONDS,
        )
    }
)

Values = Mapping[str, int]
"""Values that are set, by Property.key."""


def value_of(values: Values, one: Property) -> int:
    """The effective value of a property that has a default."""
    assert one.default is not None
    return values.get(one.key, one.default)


def variables(values: Values) -> dict[str, str]:
    """Environment variables that pass the values to workers."""
    return {one.variable: str(values[key]) for key, one in PROPERTIES.items() if one.variable and key in values}
