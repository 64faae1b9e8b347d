"""Staging of batches in temporary tables, for joins and changes in several steps."""

from collections.abc import Sequence

from zcbus.connectors.mysql.apply.encode import EncodedColumn
from zcbus.connectors.mysql.apply.load import Loader
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session


class Stage:
    """A temporary table with columns of the target's own types. Context manager: leaving drops it."""

    def __init__(self, session: Session, name: str, select: str) -> None:
        """`select` returns the columns, and the rows if it has any."""
        self._session = session
        self.table = quote.identifier(name)
        self._select = select

    def __enter__(self) -> "Stage":
        self._session.execute(f"DROP TEMPORARY TABLE IF EXISTS {self.table}")
        self._session.execute(f"CREATE TEMPORARY TABLE {self.table} AS {self._select}")
        return self

    def __exit__(self, kind: object, *details: object) -> None:
        if kind is None:
            self._session.execute(f"DROP TEMPORARY TABLE IF EXISTS {self.table}")

    def fill(self, loader: Loader, columns: Sequence[EncodedColumn], name: str) -> None:
        """Add rows."""
        loader.write(self.table, columns, False, name)


def matches(pairs: Sequence[tuple[str, str]], left: str, right: str) -> str:
    """Join condition over pairs of column names (left, right); nulls match nulls."""
    return " AND ".join(f"{left}.{quote.identifier(one)} <=> {right}.{quote.identifier(other)}" for one, other in pairs)
