"""A connection as a connector gets it."""

from dataclasses import dataclass, field

from zcbus.model.states import LoadType


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """Typed options of one data source. `repr` does not show the password."""

    kind: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    tls: str = "prefer"
    """disable, prefer, require, verify-full."""
    lock_wait: int = 10
    """Seconds for which a target's session waits for what somebody else holds there."""
    load_type: LoadType = LoadType.BULK
    """How a target's session writes rows."""
