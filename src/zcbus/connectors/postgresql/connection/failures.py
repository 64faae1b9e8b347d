"""What goes wrong on a connection of our own client, in the words of the protocol."""

from collections.abc import Mapping

NOT_TRUSTED = "28000"
"""The code of a refused login also stands for a server that we refuse: somebody has to mend something."""
TAKES_NO_CONNECTIONS = "55000"
"""The code of a login to a database that is closed for the time being, as where somebody restores or moves it."""


class ServerError(Exception):
    """An ErrorResponse of the server."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.sqlstate = fields.get("C", "XX000")
        self.message = fields.get("M", "")
        self.detail = fields.get("D", "")
        super().__init__(f"{self.message} ({self.sqlstate})" + (f": {self.detail}" if self.detail else ""))


class ConnectionLost(Exception):
    """The server or its database can't be reached, closed the connection or broke the protocol."""
