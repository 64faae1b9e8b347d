"""Detection of a publication that was changed by hand: the log then lacks changes, and does not record it."""

from collections.abc import Mapping
from typing import Any

import orjson

from zcbus.connectors.errors import LogPositionLost, TableRefused
from zcbus.connectors.postgresql.capture.publication_state import PublicationState, read_publication
from zcbus.connectors.postgresql.capture.table_identity import any_partitioned
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import SchemaHistory
from zcbus.model.schema import TableName


class PublicationWatch:
    """The publication of a stream and its captured tables. Not for several threads."""

    def __init__(
        self,
        connection: Connection,
        kind: str,
        name: str,
        tables: Mapping[int, TableName],
        history: SchemaHistory | None,
    ) -> None:
        """`tables`: captured ones by oid.

        Raises LogPositionLost or TableRefused as `scan` finds them, also of the time when no stream was open.
        """
        self._kind, self._name, self._tables, self._history = kind, name, dict(tables), history
        stored = self._read()
        self._known: dict[str, Any] = stored
        self._partitioned = any_partitioned(connection, list(tables))
        today = read_publication(connection, name)
        if (found := self._difference(today)) is not None:
            raise found
        assert today is not None
        members = {str(oid): member.oid for oid in tables if (member := today.member(oid)) is not None}
        self._known = {"oid": today.oid, "changed": today.changed_by, "owner": today.owner, "members": members}
        if self._known != stored:
            self._write()

    def scan(self, connection: Connection) -> LogPositionLost | TableRefused | None:
        """The loss of the log if it is not the same publication with the same options; the refusal of the first table
        that was taken out, also for a while, or that is published in part."""
        return self._difference(read_publication(connection, self._name))

    def _difference(self, today: PublicationState | None) -> LogPositionLost | TableRefused | None:
        if today is None or not self._is_known(today) or not today.publishes_everything(self._partitioned):
            detail = f"publication {self._name} was " + ("dropped" if today is None else "changed by hand")
            return LogPositionLost(kind=self._kind, wanted="", oldest="", gap="", detail=detail)
        members: dict[str, int] = self._known.get("members", {})
        for oid, name in self._tables.items():
            member = today.member(oid)
            if member is None or not member.whole or members.get(str(oid), member.oid) != member.oid:
                return TableRefused(table=str(name), column="", reason="publication-changed", detail=self._name)
        return None

    def _is_known(self, today: PublicationState) -> bool:
        """A new owner changes nothing that is published."""
        if not self._known:
            return True
        same_owner = self._known["owner"] == today.owner
        return self._known["oid"] == today.oid and (self._known["changed"] == today.changed_by or not same_owner)

    def _read(self) -> dict[str, Any]:
        document = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        return dict(document.get("publication", {}))

    def _write(self) -> None:
        if self._history is not None:
            document = orjson.loads(self._history.read() or b"{}")
            self._history.write(orjson.dumps({**document, "publication": self._known}))
