"""How long this host may go on with services that another host may take over.

The control plane gives such services to another host when it has not heard of this one for some time. So that never
two of them run, this host has them on a lease: each answer of the control plane lengthens it, counted from when the
question left. Its clock goes on while the machine sleeps. A worker is told when its lease ends, and the kernel ends it
then, even where the agent no longer runs.
"""

from zcbus.kit.clock import uptime


class Lease:
    """One for all services of an agent; at the beginning it holds for nothing."""

    def __init__(self) -> None:
        self.until = 0.0
        """Seconds by `uptime`."""

    def renew(self, asked_at: float, seconds: float) -> None:
        """The control plane answered what was asked then (by `uptime`)."""
        self.until = max(self.until, asked_at + seconds)

    def holds(self) -> bool:
        return uptime() < self.until
