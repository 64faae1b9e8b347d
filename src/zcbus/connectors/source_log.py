"""Identity of the server log that positions belong to, for captures that continue on another server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceLog:
    """A log in the row of those that a node was captured from."""

    identity: str = ""
    """As IdentifiedLog.log_identity; empty: any server."""
    number: int = 0
    """Number of earlier changes of the server: positions of a later log are greater."""


FIRST_LOG = SourceLog()
"""The log of a source without a known change of server."""
