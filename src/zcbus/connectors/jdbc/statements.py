"""The connection that reading needs, whatever carries its statements."""

from collections.abc import Generator, Sequence
from typing import Any, Protocol

from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.roles import Side

Value = str | bytes | None
Row = tuple[Value, ...]


class Statements(Protocol):
    """One connection. Values are texts, bytes or None; `?` in a statement stands for each of `values`. Raises errors of
    connectors."""

    dialect: Dialect
    options: Any
    """With `kind`, `address`, `database` and `watermark`."""
    side: Side

    def rows(self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = "") -> list[Row]:
        """All rows of a query; `binary`: which columns are bytes; `of`: the table that it is about."""

    def stream(
        self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = ""
    ) -> Generator[list[Row], None, None]:
        """The rows of a query in parts as they arrive."""

    def rollback(self) -> None:
        """End the transaction, where there are any."""

    def interrupt(self) -> None:
        """End the connection from another thread: a waiting call raises."""

    def close(self) -> None:
        """Never raises. Idempotent."""
