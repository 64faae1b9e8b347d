"""The lease on services that another host may take over.

The control plane moves such services to another host when it has had no contact with this one for some time. The
lease prevents that two hosts run the same service: each response of the control plane extends it, counted from when
the request left. Its clock includes the time a machine sleeps. A worker receives the end of its lease, and the kernel
ends it then, even where the agent no longer runs.
"""

from zcbus.kit.clock import uptime


class Lease:
    """The lease of all services of an agent; it starts expired."""

    def __init__(self) -> None:
        self.until = 0.0
        """Seconds by `uptime`."""

    def renew(self, requested_at: float, seconds: float) -> None:
        """Extend the lease after a response; `requested_at`: when its request left, by `uptime`."""
        self.until = max(self.until, requested_at + seconds)

    def holds(self) -> bool:
        return uptime() < self.until
