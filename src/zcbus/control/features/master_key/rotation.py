"""Rotation: a new key is made, all control planes learn it, it seals, and what older keys sealed is sealed again.

Each step is a fact in the key file or in the store, and every key opens meanwhile: a rotation that ended anywhere is
continued by the next one.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from zcbus.control.features.master_key.errors import KeyNotEverywhereError, KeyNotUsedError
from zcbus.control.features.master_key.holders import lacking, not_sealing
from zcbus.control.features.master_key.recording import record
from zcbus.control.features.master_key.resealing import census, reseal
from zcbus.control.key_check import seal_with, sealing_key
from zcbus.control.platform.key_file import KeyRing
from zcbus.control.platform.services import Services

_LOOK_SECONDS = 1.0


@dataclass(slots=True)
class Waiting:
    """How long a rotation waits for other control planes, and what it says of its progress."""

    seconds: float = 120.0
    pause: Callable[[float], None] = time.sleep
    say: Callable[[str, int], None] = lambda step, count: None
    """Step (`made`, `continued`, `waiting`, `sealing`, `resealed`) and a number of it."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """The key that seals now, and how many rows were sealed again."""

    key: str
    rows: int


def rotate(services: Services, waiting: Waiting | None = None) -> Rotated:
    """Have a new key seal everything, or finish the rotation that was begun. Raises KeysFixedError,
    KeyNotEverywhereError, KeyNotUsedError: then nothing is lost, and the same call continues."""
    waiting = waiting or Waiting()
    key = _due_key(services, waiting)
    _wait(services, waiting, lambda connection, now: lacking(connection, now, key), _not_everywhere(services, key))
    _activate(services, key)
    waiting.say("sealing", 0)
    _wait(services, waiting, lambda connection, now: not_sealing(connection, now, key), _not_used(key))
    rows = reseal(services, lambda done: waiting.say("resealed", done))
    with services.database.write() as connection:
        record(connection, services, "rotate", {"key": key, "rows": rows})
    return Rotated(key, rows)


def _due_key(services: Services, waiting: Waiting) -> str:
    box = services.secrets
    box.refresh()
    with services.database.read() as connection:
        older = {key for _, key in census(connection)} & set(box.ring.keys) - {box.ring.newest}
        is_begun = older or sealing_key(connection, box) != box.ring.newest
    if is_begun and len(box.ring.keys) > 1:
        waiting.say("continued", 0)
    else:
        _add_key(services)
        waiting.say("made", 0)
    return box.ring.newest


def _add_key(services: Services) -> None:
    source, known = services.secrets.source, services.secrets.ring.newest

    def added(ring: KeyRing) -> KeyRing:
        # Another command may have made one since.
        return ring.with_new_key() if ring.newest == known else ring

    if source is not None:
        services.secrets.use(source.change(added))
    with services.database.write() as connection:
        record(connection, services, "add", {"key": services.secrets.ring.newest})


def _activate(services: Services, key: str) -> None:
    """One transaction, in which no control plane without the key runs."""
    with services.database.write_alone() as connection:
        if sealing_key(connection, services.secrets) != key:
            hosts = lacking(connection, services.clock.now(), key)
            if hosts:
                raise _not_everywhere(services, key)(hosts)
            seal_with(connection, services, key)
            record(connection, services, "activate", {"key": key})
    services.secrets.refresh()


def _wait(
    services: Services,
    waiting: Waiting,
    open_hosts: Callable[[Connection, datetime], Sequence[str]],
    error: Callable[[Sequence[str]], Exception],
) -> None:
    deadline = time.monotonic() + waiting.seconds
    while True:
        with services.database.read() as connection:
            hosts = open_hosts(connection, services.clock.now())
        if not hosts:
            return
        if time.monotonic() > deadline:
            raise error(hosts)
        waiting.say("waiting", len(hosts))
        waiting.pause(_LOOK_SECONDS)


def _not_everywhere(services: Services, key: str) -> Callable[[Sequence[str]], Exception]:
    source = services.secrets.source
    path = source.name if source else ""
    return lambda hosts: KeyNotEverywhereError(key=key, hosts=_named(hosts), path=path)


def _not_used(key: str) -> Callable[[Sequence[str]], Exception]:
    return lambda hosts: KeyNotUsedError(key=key, hosts=_named(hosts))


def _named(hosts: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(hosts))
