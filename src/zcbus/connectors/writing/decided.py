"""A transaction that one step decides and further ones carry out; for targets that change one table, or one document,
in a step.

The state of all subscriptions is stored in one place that is changed by compare and swap. Such a commit takes along
what the transaction changes in tables, as numbered parts; the next session after a kill, of whichever process, carries
them out before anything else. So a transaction is in effect once and whole, and its commit is the fence.
"""

import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from zcbus.connectors.errors import Fenced, TargetLocked, TargetUnavailable
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange, RowOperation, Transaction
from zcbus.connectors.writing.store_session import first_versions
from zcbus.model.row_errors import RowError

_HOLD_MILLISECONDS = 60_000
"""Of a process that died. Who holds for longer has lost the right to commit."""
_POLL_SECONDS = 0.05
_ATTEMPTS = 50

_turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""By place: sessions of this process commit one after the other, so that none does another's work a second time."""


class ConcurrentCommit(Exception):
    """Another session has committed since the state, or the table, was read."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Who alone writes checkpoints of a subscription, and until when (milliseconds since 1970)."""

    token: str
    until: int


@dataclass(frozen=True, slots=True)
class State:
    """As one commit left it."""

    checkpoints: dict[tuple[str, str], Checkpoint] = field(default_factory=dict)
    """By subscription and name."""
    holds: dict[str, Hold] = field(default_factory=dict)
    first: int = 1
    """Number of the first part of the last transaction."""
    last: int = 0
    """Number of its last part; less than `first` where it has none."""
    number: int = 0
    """Of the commit."""


Part = TypeVar("Part")
_Part = TypeVar("_Part", contravariant=True)


class StateStore(Protocol[_Part]):
    """Where the state is stored. Errors: TargetUnavailable, AccessDenied, DatabaseFailed."""

    def prepare(self) -> None:
        """Make it where it is missing. Idempotent."""

    def read(self) -> State:
        """The state now."""

    def write(self, state: State, parts: Iterable[_Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        """Commit a state that follows the one that was read last, with the parts of its transaction; returns it.
        `errors`: what becomes of row errors; None: they stay. Raises ConcurrentCommit, and what `parts` raises."""

    def row_errors(self, subscription: str) -> list[RowError]:
        """Those of a subscription, as the state that was read last has them."""


class DecidedWriter(ABC, Generic[Part]):
    """The part of roles.Writer that concerns transactions and checkpoints."""

    def __init__(self, state: StateStore[Part], place: str, lock_wait: int, server: dict[str, str]) -> None:
        """`place`: id of the state, unique in this process. `lock_wait`: seconds. `server`: the facts `kind` and
        `address` of errors."""
        self._state, self._place, self._lock_wait, self._server = state, place, lock_wait, server
        self._token = uuid.uuid4().hex
        self._held: set[str] = set()

    @abstractmethod
    def parts_of(self, operations: Iterable[RowOperation]) -> Iterable[Part]:
        """Operations as parts, in an order that ends as theirs does. Raises RowRefused."""

    @abstractmethod
    def finish(self, state: State) -> bool:
        """Carry out the parts of the last transaction, unless that was done. False: another transaction has been
        committed since, whose process has done it."""

    def prepare_store(self) -> None:
        self._state.prepare()

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        found = self.settled().checkpoints.values()
        return [one for one in found if one.subscription == subscription]

    def row_errors(self, subscription: str) -> list[RowError]:
        self.settled()
        return self._state.row_errors(subscription)

    def forget(self, subscription: str, name: str | None) -> None:
        while True:
            state = self.settled()
            kept = {
                key: one
                for key, one in state.checkpoints.items()
                if one.subscription != subscription or name not in (None, one.name)
            }
            errors = None
            if name is None:
                stored = self._state.row_errors(subscription)
                errors = [RowErrorChange(subscription, one.id, None) for one in stored] or None
            if len(kept) == len(state.checkpoints) and errors is None:
                return
            if self._committed(replace(state, checkpoints=kept), errors):
                return

    def hold(self, subscription: str) -> None:
        deadline = time.monotonic() + self._lock_wait
        while subscription not in self._held:
            state = self.settled()
            if self._is_free(state, {subscription}):
                hold = Hold(self._token, _now() + _HOLD_MILLISECONDS)
                if self._committed(replace(state, holds={**_alive(state), subscription: hold})):
                    self._held.add(subscription)
            else:
                self._wait(deadline)

    def fence(self, checkpoints: Sequence[Checkpoint]) -> None:
        deadline = time.monotonic() + self._lock_wait
        subscriptions = {one.subscription for one in checkpoints}
        while not self._is_free(state := self._state.read(), subscriptions):
            self._wait(deadline)
        _require_versions(state, checkpoints)

    def write(self, transaction: Transaction) -> None:
        first = first_versions(transaction.checkpoints)
        named = {one.subscription for one in first} | {one.subscription for one in transaction.row_errors}
        deadline = time.monotonic() + self._lock_wait
        for _ in range(_ATTEMPTS):
            with _turns[self._place]:
                state = self.settled()
                if self._is_free(state, named | self._held):
                    _require_versions(state, first)
                    if self._wrote(state, transaction):
                        return
                    continue
            self._wait(deadline)
        raise self._unavailable("other sessions commit all the time")

    def release(self) -> None:
        while self._held:
            state = self.settled()
            holds = {name: one for name, one in state.holds.items() if one.token != self._token}
            if self._committed(replace(state, holds=holds)):
                self._held.clear()

    def settled(self) -> State:
        """The state now, once the tables have all that its transaction changed."""
        while True:
            state = self._state.read()
            if self.finish(state):
                return state

    def retried(self, change: Callable[[], None]) -> None:
        """Repeat `change` on ConcurrentCommit, until no other session commits at the same time."""
        for _ in range(_ATTEMPTS):
            try:
                with _turns[self._place]:
                    change()
                return
            except ConcurrentCommit:
                time.sleep(_POLL_SECONDS)
        raise self._unavailable("other sessions commit to the table all the time")

    def _wrote(self, state: State, transaction: Transaction) -> bool:
        """False: another session came first, and nothing was done."""
        checkpoints = dict(state.checkpoints)
        checkpoints |= {(one.subscription, one.name): one for one in transaction.checkpoints}
        holds = {name: one for name, one in _alive(state).items() if one.token != self._token}
        after = replace(state, checkpoints=checkpoints, holds=holds)
        try:
            written = self._state.write(after, self.parts_of(transaction.operations), transaction.row_errors or None)
        except ConcurrentCommit:
            return False
        self._held.clear()
        self.finish(written)
        return True

    def _committed(self, state: State, errors: Sequence[RowErrorChange] | None = None) -> bool:
        try:
            self._state.write(state, (), errors)
        except ConcurrentCommit:
            return False
        return True

    def _is_free(self, state: State, subscriptions: set[str]) -> bool:
        """Whether no other session holds one of them. Raises TargetUnavailable where we have lost what we hold."""
        holds = _alive(state)
        if any(one not in holds or holds[one].token != self._token for one in self._held):
            self._held.clear()
            raise self._unavailable(f"held for more than {_HOLD_MILLISECONDS / 1000:.0f} s")
        return all(name not in subscriptions or one.token == self._token for name, one in holds.items())

    def _wait(self, deadline: float) -> None:
        """Raises TargetLocked behind the deadline."""
        if time.monotonic() > deadline:
            detail = "another session holds the checkpoints"
            raise TargetLocked(**self._server, detail=detail, table="", holder="")
        time.sleep(_POLL_SECONDS)

    def _unavailable(self, detail: str) -> TargetUnavailable:
        return TargetUnavailable(**self._server, detail=detail)


def _require_versions(state: State, checkpoints: Sequence[Checkpoint]) -> None:
    for one in checkpoints:
        stored = state.checkpoints.get((one.subscription, one.name))
        if (stored.version if stored else 0) != one.version - 1:
            raise Fenced(checkpoint=f"{one.subscription}/{one.name}")


def _alive(state: State) -> dict[str, Hold]:
    return {name: one for name, one in state.holds.items() if one.until > _now()}


def _now() -> int:
    return int(time.time() * 1000)
