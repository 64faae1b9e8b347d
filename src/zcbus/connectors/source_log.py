"""Which server's log positions speak of, where a capture may go on from another server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceLog:
    """A log in the row of those that a node was captured from."""

    identity: str = ""
    """As IdentifiedLog.log_identity; empty: whichever server answers."""
    number: int = 0
    """How often another server took its predecessor's place before: positions of a later one are greater."""


FIRST_LOG = SourceLog()
"""Where it is not known that there were others."""
