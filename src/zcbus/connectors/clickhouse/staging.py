"""Rows of a transaction in tables of their own, before it is decided; then their files become the target's.

So many rows are written once: `ATTACH PARTITION … FROM` links the files of the staged table, whatever their number.
"""

import uuid
from collections.abc import Iterable

from zcbus.connectors.clickhouse.connection import ClickHouseConnection, Refusal, identifier, text
from zcbus.connectors.clickhouse.parts import Part, staged_part, with_version
from zcbus.connectors.errors import AccessDenied

STAGED_BYTES = 1 << 20
"""Of a part, from which on its rows are staged: below it the statements cost more than the rows."""
_PREFIX = "zcbus_load_"
_PARTITION = "tuple()"
"""The only one of a table that is not divided."""
_MARK = "zcbus load"
"""Comment of a staged table."""


class Staging:
    """Staged tables of one database. Errors as ClickHouseConnection's."""

    def __init__(self, connection: ClickHouseConnection) -> None:
        self._connection = connection

    def stage(self, part: Part, version: int) -> Part:
        """The part with its rows in a table of their own; as it is where its table does not allow that."""
        name = f"{_PREFIX}{uuid.uuid4().hex}"
        try:
            self._connection.try_(f"CREATE TABLE {identifier(name)} AS {identifier(part.table)} COMMENT {text(_MARK)}")
        except Refusal:
            return part
        try:
            # A part has each key once, so the server has nothing to replace while it takes the rows.
            self._connection.try_insert(identifier(name), with_version(part.rows, version), optimize_on_insert="0")
        except Refusal:
            self.drop([name])
            return part
        return staged_part(part.table, name)

    def attach(self, part: Part, columns: Iterable[str]) -> bool:
        """Add the staged rows to their table; done twice, the second have the same versions. `columns`: of the table.
        False: the staged table is not there any more."""
        table, staged = identifier(part.table), identifier(part.staged)
        try:
            self._connection.try_(f"ALTER TABLE {table} ATTACH PARTITION {_PARTITION} FROM {staged}")
            return True
        except (Refusal, AccessDenied):
            # The staged table is gone, others have changed or divided the table, or the user may only insert.
            present = self._columns(part.staged)
        if not present:
            return False
        named = ", ".join(identifier(one) for one in columns if one in present)
        self._connection.run(f"INSERT INTO {table} ({named}) SELECT {named} FROM {staged}")
        return True

    def drop(self, names: Iterable[str]) -> None:
        """Idempotent."""
        for name in names:
            self._connection.run(f"DROP TABLE IF EXISTS {identifier(name)}")

    def old(self, before: int) -> list[str]:
        """Staged tables that were made before a moment, in seconds since 1970."""
        rows = self._connection.rows(
            "SELECT name FROM system.tables WHERE database = currentDatabase() "
            f"AND startsWith(name, {text(_PREFIX)}) AND comment = {text(_MARK)} "
            f"AND toUnixTimestamp(metadata_modification_time) < {before}"
        )
        return [name.decode() for (name,) in rows]

    def _columns(self, name: str) -> set[str]:
        rows = self._connection.rows(
            f"SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {text(name)}"
        )
        return {one.decode() for (one,) in rows}
