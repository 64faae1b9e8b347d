"""Errors of a server that is reached by a connection, with the facts of where it is."""

from typing import Any

from zcbus.connectors.errors import AccessDenied, DatabaseFailed, SourceUnavailable, TargetUnavailable
from zcbus.connectors.full_disk import says_full, unavailable_class
from zcbus.connectors.roles import Side

SHOWN = 300
"""Characters of what a server says."""


class ServerErrors:
    """Base of a connection. `options` of the kind: with `kind`, `address` and `user`."""

    def __init__(self, options: Any, side: Side) -> None:
        self.server = {"kind": str(options.kind), "address": str(options.address)}
        """Facts of each error."""
        self._user, self._side = str(options.user), side

    def unavailable(self, detail: str) -> SourceUnavailable | TargetUnavailable:
        """The error for what passes."""
        kind = unavailable_class(self._side, full=self.is_full(detail))
        return kind(**self.server, detail=detail[:SHOWN])

    def failed(self, error: Exception) -> DatabaseFailed:
        """The error for a refusal that trying again does not mend."""
        return DatabaseFailed(**self.server, detail=str(error)[:SHOWN])

    def denied(self, detail: str) -> AccessDenied:
        """The error for a matter of rights."""
        return AccessDenied(**self.server, user=self._user, detail=detail[:SHOWN])

    def is_full(self, detail: str) -> bool:
        """Whether the server says that it has no room."""
        return says_full(detail)
