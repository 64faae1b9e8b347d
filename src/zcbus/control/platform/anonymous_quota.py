"""Limits on the records that callers without a session can make this platform store.

Counts are in the memory of each control plane: a refused call must not grow the store.
"""

import ipaddress
import threading
from collections import OrderedDict

from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.kit.clock import Clock, SystemClock

PER_ADDRESS = 120
"""Records for one address within a minute; a whole office may share one address."""
_TOTAL = 3_000
_SECONDS = 60.0
_MAX_ADDRESSES = 10_000
_ALL_ADDRESSES = ""


class AnonymousQuota:
    """Counter of records per address, in minutes that begin with its first call. Thread-safe."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._minutes: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def spend(self, address: str) -> None:
        """Count a record before it is stored. Raises TooManyRequestsError."""
        if not self.try_spend(address):
            raise TooManyRequestsError(seconds=int(_SECONDS))

    def try_spend(self, address: str) -> bool:
        """Count a record before it is stored; False: the limit is reached."""
        with self._lock:
            return self._counted(network_of(address), PER_ADDRESS) and self._counted(_ALL_ADDRESSES, _TOTAL)

    def _counted(self, name: str, most: int) -> bool:
        now = self._clock.monotonic()
        began, count = self._minutes.pop(name, (now, 0))
        if now - began >= _SECONDS:
            began, count = now, 0
        allowed = count < most
        self._minutes[name] = began, count + allowed
        while len(self._minutes) > _MAX_ADDRESSES:
            self._minutes.popitem(last=False)
        return allowed


def network_of(address: str) -> str:
    """The network that counts as one address: an IPv6 host usually owns its whole /64."""
    try:
        own = ipaddress.ip_address(address)
    except ValueError:
        return "?"
    if isinstance(own, ipaddress.IPv6Address) and own.ipv4_mapped is None:
        return str(ipaddress.ip_network((own, 64), strict=False))
    return str(own)
