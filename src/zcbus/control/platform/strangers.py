"""What callers without a session may make this platform keep: so much a minute, whoever they are.

Kept in the memory of each control plane: what refuses a call must not grow a store itself.
"""

import ipaddress
import threading
from collections import OrderedDict

from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.kit.clock import Clock, SystemClock

PER_ADDRESS = 120
"""Things kept for one address within a minute; a whole office may have one address."""
_ALL = 3_000
_SECONDS = 60.0
_MOST_ADDRESSES = 10_000
_EVERYBODY = ""


class Strangers:
    """Counts in minutes that begin with an address' first call. Thread-safe."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._minutes: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def spend(self, address: str) -> None:
        """Count something that is about to be kept. Raises TooManyRequestsError."""
        if not self.has_place(address):
            raise TooManyRequestsError(seconds=int(_SECONDS))

    def has_place(self, address: str) -> bool:
        """Count something that is about to be kept, if it may be."""
        with self._lock:
            return self._counted(network_of(address), PER_ADDRESS) and self._counted(_EVERYBODY, _ALL)

    def _counted(self, name: str, most: int) -> bool:
        now = self._clock.monotonic()
        began, count = self._minutes.pop(name, (now, 0))
        if now - began >= _SECONDS:
            began, count = now, 0
        allowed = count < most
        self._minutes[name] = began, count + allowed
        while len(self._minutes) > _MOST_ADDRESSES:
            self._minutes.popitem(last=False)
        return allowed


def network_of(address: str) -> str:
    """Who has an IPv6 address has all of its network."""
    try:
        own = ipaddress.ip_address(address)
    except ValueError:
        return "?"
    if isinstance(own, ipaddress.IPv6Address) and own.ipv4_mapped is None:
        return str(ipaddress.ip_network((own, 64), strict=False))
    return str(own)
