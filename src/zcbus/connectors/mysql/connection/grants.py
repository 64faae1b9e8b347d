"""An account's rights, read from SHOW GRANTS."""

import re
from dataclasses import dataclass

from zcbus.connectors.mysql.connection.session import Session

_GRANT = re.compile(r"^GRANT (?P<rights>.+?) ON (?:TABLE )?(?P<scope>(?:`(?:[^`]|``)*`|\*)\.(?:`(?:[^`]|``)*`|\*)) TO ")
_COLUMN_LIST = re.compile(r"\([^)]*\)")
_NAMES_IN_MARIADB = {
    "REPLICATION REPLICA": "REPLICATION SLAVE",
    "BINLOG MONITOR": "REPLICATION CLIENT",
    "DELETE VERSIONING ROWS": "DELETE HISTORY",
}


@dataclass(frozen=True, slots=True)
class Grants:
    """Rights by scope: `*.*`, `database.*` or `database.table` (without quotes)."""

    by_scope: dict[str, frozenset[str]]

    def globally(self, right: str) -> bool:
        """Whether the right is granted on the complete server."""
        return _has(self.by_scope.get("*.*", frozenset()), right)

    def on_database(self, database: str, right: str) -> bool:
        """Whether the right is granted on every table of the database."""
        return self.globally(right) or any(
            _has(rights, right) for scope, rights in self.by_scope.items() if _covers(scope, database)
        )

    def somewhere(self, database: str, right: str) -> bool:
        """Whether the right is granted on the database or on some table of it."""
        return self.on_database(database, right) or any(
            _has(rights, right) for scope, rights in self.by_scope.items() if scope.startswith(f"{database}.")
        )


def read_grants(session: Session) -> Grants:
    """The rights of the session's account, its active roles included."""
    rows = list(session.rows("SHOW GRANTS"))
    if session.version.mariadb:
        rows += _grants_of_role(session)
    elif session.version.number >= (8, 0, 0):
        roles = str(session.rows("SELECT CURRENT_ROLE()")[0][0])
        if roles != "NONE":
            rows += session.rows(f"SHOW GRANTS FOR CURRENT_USER() USING {roles}")
    return parse_grants([str(row[0]) for row in rows])


def parse_grants(lines: list[str]) -> Grants:
    """From the lines of SHOW GRANTS."""
    scopes: dict[str, set[str]] = {}
    for line in lines:
        if match := _GRANT.match(line):
            rights = _COLUMN_LIST.sub("", match["rights"]).upper().split(",")
            scope = match["scope"].replace("`", "")
            scopes.setdefault(scope, set()).update(_name(right.strip()) for right in rights)
    return Grants({scope: frozenset(rights) for scope, rights in scopes.items()})


def _grants_of_role(session: Session) -> list[tuple[object, ...]]:
    role = session.rows("SELECT CURRENT_ROLE()")[0][0]
    if role is None:
        return []
    quoted = "`" + str(role).replace("`", "``") + "`"
    return list(session.rows(f"SHOW GRANTS FOR {quoted}"))


def _name(right: str) -> str:
    return _NAMES_IN_MARIADB.get(right, right)


def _has(rights: frozenset[str], right: str) -> bool:
    return right in rights or "ALL PRIVILEGES" in rights or "ALL" in rights


def _covers(scope: str, database: str) -> bool:
    """Database names in grants are patterns with `_` and `%`."""
    pattern, _, table = scope.rpartition(".")
    if table != "*" or pattern == "*":
        return False
    expression = re.escape(pattern.replace("\\_", "\0")).replace("%", ".*").replace("_", ".").replace("\0", "_")
    return re.fullmatch(expression, database) is not None
