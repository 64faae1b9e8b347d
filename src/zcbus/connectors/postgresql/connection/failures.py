"""Errors on a connection of the built-in client, in the terms of the protocol."""

from collections.abc import Mapping

NOT_TRUSTED = "28000"
"""SQLSTATE of a refused login, also used for a server that the client refuses: both need a person's correction."""
TAKES_NO_CONNECTIONS = "55000"
"""SQLSTATE of a login to a database that is temporarily closed, for example during a restore or a move."""


class ServerError(Exception):
    """An ErrorResponse of the server."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.sqlstate = fields.get("C", "XX000")
        self.message = fields.get("M", "")
        self.detail = fields.get("D", "")
        super().__init__(f"{self.message} ({self.sqlstate})" + (f": {self.detail}" if self.detail else ""))


class ConnectionLost(Exception):
    """The server or its database can't be reached, closed the connection or broke the protocol."""
