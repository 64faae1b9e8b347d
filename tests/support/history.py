"""A schema history of a node, in memory."""


class History:
    """See SchemaHistory."""

    def __init__(self) -> None:
        self.data = b""

    def read(self) -> bytes:
        return self.data

    def write(self, data: bytes) -> None:
        self.data = data
