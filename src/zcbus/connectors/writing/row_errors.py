"""Row errors as documents that are written with the transaction. They are few: tables stop at a limit."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from zcbus.connectors.roles.writer import RowErrorChange, StateWriter
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart
from zcbus.connectors.writing.journal import Journal
from zcbus.model.row_errors import ANYTHING, OPEN, Decision, RowError, RowErrorStatus, RowOperation

_MAX_SHOWN = 4000
"""Limit of texts for people, in characters."""
_SORTED_BY: dict[str, Callable[[RowError], Any]] = {
    "found": lambda error: error.found_ms,
    "changed": lambda error: error.changed_ms,
    "status": lambda error: error.status,
    "operation": lambda error: error.operation,
    "target": lambda error: error.target,
    "code": lambda error: error.code,
    "attempts": lambda error: error.attempts,
}


class JournaledRowErrors:
    """See RowErrorStore: the stored row errors, with the open transaction's changes applied."""

    def __init__(self, writer: StateWriter, journal: Journal) -> None:
        self._writer, self._journal = writer, journal

    def keep(self, subscription: str, errors: Sequence[RowError]) -> None:
        for error in errors:
            shown = replace(error, detail=_shown(error.detail), statement=_shown(error.statement))
            self._journal.row_errors.append(RowErrorChange(subscription, error.id, shown))

    def read(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        part = part or RowErrorPart(descending=False)
        value = _SORTED_BY.get(part.sort, _SORTED_BY["found"])
        found = [error for error in self._all(subscription) if _is_selected(error, which)]
        found.sort(key=lambda error: (value(error), error.id), reverse=part.descending)
        return found[part.offset : None if part.limit is None else part.offset + part.limit]

    def lock(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        self._writer.hold(subscription)
        return self.read(subscription, which, part)

    def count(self, subscription: str, which: RowErrorFilter) -> int:
        return len(self.read(subscription, which))

    def details(self, subscription: str, which: RowErrorFilter, limit: int) -> Mapping[str, int]:
        return dict(Counter(error.detail for error in self.read(subscription, which)).most_common(limit))

    def open_counts(self, subscription: str) -> Mapping[str, int]:
        return Counter(error.table for error in self.read(subscription, RowErrorFilter(statuses=OPEN)))

    def delete(self, subscription: str, which: RowErrorFilter | None = None) -> int:
        found = self.read(subscription, which or RowErrorFilter())
        self._journal.row_errors += [RowErrorChange(subscription, error.id, None) for error in found]
        return len(found)

    def _all(self, subscription: str) -> list[RowError]:
        found = {error.id: error for error in self._writer.row_errors(subscription)}
        for change in self._journal.row_errors:
            if change.subscription != subscription:
                continue
            if change.error is None:
                found.pop(change.id, None)
            else:
                found[change.id] = change.error
        return list(found.values())


def row_error_to_json(error: RowError) -> bytes:
    """For row_error_from_json."""
    return orjson.dumps(error)


def row_error_text(error: RowError) -> str:
    """The same as text."""
    return row_error_to_json(error).decode()


def row_error_from_json(data: bytes) -> RowError:
    """Inverse of row_error_to_json."""
    fields = orjson.loads(data)
    wanted = fields["wanted"]
    typed = {
        "status": RowErrorStatus(fields["status"]),
        "operation": RowOperation(fields["operation"]),
        "wanted": Decision(wanted) if wanted else None,
        "lacks": tuple(fields["lacks"]),
    }
    return RowError(**{**fields, **typed})


def _is_selected(error: RowError, which: RowErrorFilter) -> bool:
    chosen = (
        (error.table, which.tables),
        (error.status, which.statuses),
        (error.operation, which.operations),
        (error.id, which.ids),
    )
    if any(values and value not in values for value, values in chosen):
        return False
    if which.search:
        texts = (orjson.dumps(error.key).decode(), error.target, error.detail, error.code)
        if not any(which.search.lower() in text.lower() for text in texts):
            return False
    if which.cause and not _matches(error.detail, which.cause):
        return False
    if which.wanted is not None and which.wanted != (error.wanted is not None):
        return False
    return error.blocking or not which.blocking


def _matches(detail: str, cause: str) -> bool:
    """Whether a text matches a cause, in which ANYTHING stands for any text."""
    first, *parts = cause.split(ANYTHING)
    if not parts:
        return detail == cause
    if not detail.startswith(first):
        return False
    place = len(first)
    for part in parts[:-1]:
        place = detail.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return len(detail) - len(parts[-1]) >= place and detail.endswith(parts[-1])


def _shown(text: str) -> str:
    """Texts for people: truncated, and without the one character that some stores cannot hold."""
    text = text.replace("\0", "\N{SYMBOL FOR NULL}")
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"
