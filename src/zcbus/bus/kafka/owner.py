"""The writer of a topic, and whether it is still alive.

Every message names its writer. On the same host the kernel knows whether the process lives; a process elsewhere is
alive while it writes. A wrong result is harmless: the claim of its successor fences out a writer that is assumed dead
(see writer), and no acknowledged record is lost.
"""

import hashlib
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LEASE_SECONDS = 15.0
"""A writer elsewhere without messages for so long is assumed dead.

Real topics get a heartbeat every second.
"""

_open_writers: set[bytes] = set()
_seen: dict[bytes, tuple[int, float]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Owner:
    """Identity of a writer: host and process namespace, process, and writer."""

    host: bytes
    """8 bytes."""
    pid: int
    started: int
    """Start of the process in clock ticks since the host's start, from /proc: distinguishes reused process ids."""
    writer: bytes
    """8 bytes, random."""


def new_owner() -> Owner:
    """A new writer of this process; it counts as open until `forget`."""
    owner = Owner(host_id(), os.getpid(), _started(os.getpid()) or 0, os.urandom(8))
    with _lock:
        _open_writers.add(owner.writer)
    return owner


def forget(owner: Owner) -> None:
    """Mark a writer as closed."""
    with _lock:
        _open_writers.discard(owner.writer)


def holds(owner: Owner, topic: bytes, end: int, host: bytes | None = None) -> bool:
    """Whether a writer is still alive on a topic (by id) whose log ends at `end`."""
    if owner.host != (host or host_id()):
        return not _is_silent(topic, end)
    if owner.pid != os.getpid():
        return _started(owner.pid) == owner.started
    with _lock:
        return owner.writer in _open_writers


def host_id() -> bytes:
    """An id that is equal for all processes that see each other in /proc."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_bytes()
    namespace = str(Path("/proc/self/ns/pid").readlink())
    return hashlib.sha256(boot + namespace.encode()).digest()[:8]


def _is_silent(topic: bytes, end: int) -> bool:
    """Whether the log's end has not moved for the time of a lease."""
    now = time.monotonic()
    with _lock:
        known, since = _seen.get(topic, (-1, now))
        if known != end:
            since = now
        _seen[topic] = (end, since)
    return now - since > LEASE_SECONDS


def _started(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return None
    # The program's name is in parentheses and may contain blanks; a zombie counts as ended.
    state, *fields = stat.rpartition(")")[2].split()
    return None if state == "Z" else int(fields[18])
