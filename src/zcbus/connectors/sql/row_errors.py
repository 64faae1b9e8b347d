"""Row errors in a table of the target, in SQL that every dialect here understands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart
from zcbus.model.row_errors import ANYTHING, OPEN, Decision, RowError, RowErrorStatus, RowOperation

TABLE = "zcbus_row_error"
_MAX_SHOWN = 4000
"""Limit of texts for people, in characters."""
_SORTABLE = {
    "found": "found_at",
    "changed": "changed_at",
    "status": "status",
    "operation": "operation",
    "target": "target",
    "code": "code",
    "attempts": "attempts",
}
_COLUMNS = (
    "id, table_id, target, operation, status, row_key, code, detail, statement, wanted, blocking, attempts, "
    "found_at, changed_at, data"
)


class Database(Protocol):
    """One session of a connector: parameters are `%s`; statements belong to its open transaction."""

    def execute(self, sql: str, params: Sequence[object] = ()) -> int: ...
    def rows(self, sql: str, params: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]: ...


@dataclass(frozen=True, slots=True)
class Spelling:
    """Differences between dialects."""

    name: str
    """The table's name, qualified and quoted."""
    long_text: str = "text"
    options: str = ""
    """Clauses after the closing bracket of CREATE TABLE."""
    shown_text: str = ""
    """Type of texts for people, if not `long_text`: they are grouped by."""


def create_statement(spelling: Spelling) -> str:
    """Creates the table where it is missing."""
    shown = spelling.shown_text or spelling.long_text
    return (
        f"CREATE TABLE IF NOT EXISTS {spelling.name} (subscription varchar(100) NOT NULL, id varchar(200) NOT NULL, "
        "table_id varchar(100) NOT NULL, target varchar(600) NOT NULL, operation varchar(20) NOT NULL, "
        f"status varchar(20) NOT NULL, row_key {spelling.long_text} NOT NULL, code varchar(100) NOT NULL, "
        f"detail {shown} NOT NULL, statement {shown} NOT NULL, "
        "wanted varchar(20) NOT NULL, blocking smallint NOT NULL, attempts integer NOT NULL, "
        f"found_at bigint NOT NULL, changed_at bigint NOT NULL, data {spelling.long_text} NOT NULL, "
        f"PRIMARY KEY (subscription, id)){spelling.options}"
    )


class SqlRowErrorStore:
    """See RowErrorStore."""

    def __init__(self, database: Database, spelling: Spelling) -> None:
        self._database, self._name = database, spelling.name

    def keep(self, subscription: str, errors: Sequence[RowError]) -> None:
        for error in errors:
            self._database.execute(
                f"DELETE FROM {self._name} WHERE subscription = %s AND id = %s", [subscription, error.id]
            )
            values = [subscription, *_values(error)]
            marks = ", ".join(["%s"] * len(values))
            self._database.execute(f"INSERT INTO {self._name} (subscription, {_COLUMNS}) VALUES ({marks})", values)

    def read(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        return self._read(subscription, which, part or RowErrorPart(descending=False), "")

    def lock(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        return self._read(subscription, which, part or RowErrorPart(descending=False), " FOR UPDATE")

    def _read(self, subscription: str, which: RowErrorFilter, part: RowErrorPart, locking: str) -> list[RowError]:
        condition, values = _condition(subscription, which)
        direction = "DESC" if part.descending else "ASC"
        order = f"{_SORTABLE.get(part.sort, 'found_at')} {direction}, id {direction}"
        limit = "" if part.limit is None else f" LIMIT {int(part.limit)} OFFSET {int(part.offset)}"
        sql = f"SELECT {_COLUMNS} FROM {self._name} WHERE {condition} ORDER BY {order}{limit}{locking}"
        return [_error(row) for row in self._database.rows(sql, values)]

    def count(self, subscription: str, which: RowErrorFilter) -> int:
        condition, values = _condition(subscription, which)
        return int(self._database.rows(f"SELECT COUNT(*) FROM {self._name} WHERE {condition}", values)[0][0])

    def details(self, subscription: str, which: RowErrorFilter, limit: int) -> Mapping[str, int]:
        condition, values = _condition(subscription, which)
        sql = f"SELECT detail, COUNT(*) AS met FROM {self._name} WHERE {condition} GROUP BY detail"
        return {
            str(detail): int(count)
            for detail, count in self._database.rows(f"{sql} ORDER BY met DESC, detail LIMIT {int(limit)}", values)
        }

    def open_counts(self, subscription: str) -> Mapping[str, int]:
        condition, values = _condition(subscription, RowErrorFilter(statuses=OPEN))
        sql = f"SELECT table_id, COUNT(*) FROM {self._name} WHERE {condition} GROUP BY table_id"
        return {str(table): int(count) for table, count in self._database.rows(sql, values)}

    def delete(self, subscription: str, which: RowErrorFilter | None = None) -> int:
        condition, values = _condition(subscription, which or RowErrorFilter())
        return self._database.execute(f"DELETE FROM {self._name} WHERE {condition}", values)


def _condition(subscription: str, which: RowErrorFilter) -> tuple[str, list[object]]:
    parts, values = ["subscription = %s"], [subscription]
    for column, chosen in (
        ("table_id", which.tables),
        ("status", which.statuses),
        ("operation", which.operations),
        ("id", which.ids),
    ):
        if chosen:
            parts.append(f"{column} IN ({', '.join(['%s'] * len(chosen))})")
            values += [str(one) for one in chosen]
    if which.search:
        pattern = "%" + _literally(which.search.lower()) + "%"
        columns = ("row_key", "target", "detail", "code")
        parts.append("(" + " OR ".join(f"LOWER({name}) LIKE %s ESCAPE '!'" for name in columns) + ")")
        values += [pattern] * len(columns)
    if which.cause:
        parts.append("detail LIKE %s ESCAPE '!'")
        values.append(_literally(which.cause).replace(ANYTHING, "%"))
    if which.wanted is not None:
        parts.append("wanted <> ''" if which.wanted else "wanted = ''")
    if which.blocking:
        parts.append("blocking = 1")
    return " AND ".join(parts), list(values)


def _literally(text: str) -> str:
    """The text as a literal in a pattern of LIKE … ESCAPE '!'."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _values(error: RowError) -> list[object]:
    data = {
        "before": error.before,
        "after": error.after,
        "position": error.position,
        "commit_ms": error.commit_ms,
        "edited": error.edited,
        "lacks": error.lacks,
        "note": error.note,
    }
    return [
        error.id,
        error.table,
        error.target[:600],
        error.operation.value,
        error.status.value,
        _json(error.key),
        error.code,
        _shown(error.detail),
        _shown(error.statement),
        error.wanted.value if error.wanted else "",
        int(error.blocking),
        error.attempts,
        error.found_ms,
        error.changed_ms,
        _json(data),
    ]


def _error(row: tuple[Any, ...]) -> RowError:
    identifier, table, target, operation, status, key, code, detail, statement, wanted, blocking, attempts = row[:12]
    found, changed, text = row[12:]
    data = orjson.loads(text)
    return RowError(
        id=identifier,
        table=table,
        target=target,
        operation=RowOperation(operation),
        status=RowErrorStatus(status),
        key=orjson.loads(key),
        code=code,
        detail=detail,
        statement=statement,
        wanted=Decision(wanted) if wanted else None,
        blocking=bool(int(blocking)),
        attempts=int(attempts),
        found_ms=int(found),
        changed_ms=int(changed),
        lacks=tuple(data.pop("lacks", ())),
        **data,
    )


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _shown(text: str) -> str:
    """Texts for people: truncated, and without the one character that some databases cannot store."""
    text = text.replace("\0", "\N{SYMBOL FOR NULL}")
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"
