"""Storage of changes that the target refused."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from zcbus.model.row_errors import RowError, RowErrorStatus, RowOperation

QUOTED_VALUE = re.compile(r"(?:\bentry |\bvalue:? |\bstring |: )('(?:[^']|'')*'|\"[^\"]*\")")
"""A value in a message, as most targets quote one: in quotes after what it is, not after the name of a rule."""


@dataclass(frozen=True, slots=True)
class RowErrorFilter:
    """Which row errors; an empty field means all."""

    tables: tuple[str, ...] = ()
    statuses: tuple[RowErrorStatus, ...] = ()
    operations: tuple[RowOperation, ...] = ()
    ids: tuple[str, ...] = ()
    search: str = ""
    """Part of the key, the target's name or the error's text, in any case."""
    cause: str = ""
    """The error's text, as `model.row_errors.cause_of` writes it."""
    wanted: bool | None = None
    """True: only those with a decision that was not carried out yet; False: only the others."""
    blocking: bool = False
    """Only those that block a table."""


@dataclass(frozen=True, slots=True)
class RowErrorPart:
    """Which part of a list. `sort`: found, changed, status, operation, target, code, attempts."""

    sort: str = "found"
    descending: bool = True
    offset: int = 0
    limit: int | None = None


class RowErrorStore(Protocol):
    """Row errors of all subscriptions of a target, stored in the target.

    Writes belong to the session's open transaction, so that a change is skipped exactly when it is recorded. Errors:
    TargetUnavailable.
    """

    def keep(self, subscription: str, errors: Sequence[RowError]) -> None:
        """Store; an error with the same id is replaced."""

    def read(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        """Complete row errors."""

    def lock(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        """As `read`, with locks that keep other transactions from changing them until the transaction ends."""

    def count(self, subscription: str, which: RowErrorFilter) -> int:
        """The number of row errors."""

    def details(self, subscription: str, which: RowErrorFilter, limit: int) -> Mapping[str, int]:
        """The number of row errors by error text, at most `limit` texts, the most frequent first."""

    def open_counts(self, subscription: str) -> Mapping[str, int]:
        """Open ones by table id; tables without any are left out."""

    def delete(self, subscription: str, which: RowErrorFilter | None = None) -> int:
        """Forget those, or all of the subscription; returns how many."""
