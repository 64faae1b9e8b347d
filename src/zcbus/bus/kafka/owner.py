"""Who writes a topic, and whether that process is still alive.

Every message names its writer. On the same host the kernel tells whether the process lives; of a process elsewhere only
this is seen: it still writes, or it has written nothing for a while. That decides about politeness alone: a writer that
is wrongly thought dead is shut out by its successor's claim (see writer) and loses nothing that it was told is durable.
"""

import hashlib
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LEASE_SECONDS = 15.0
"""After so long without a message a writer elsewhere is thought gone. Real topics get a heartbeat every second."""

_open_writers: set[bytes] = set()
_seen: dict[bytes, tuple[int, float]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Owner:
    """A writer: which host (and process namespace), which process, which of its writers."""

    host: bytes
    """8 bytes."""
    pid: int
    started: int
    """Clock ticks since the host's start, as /proc has it: tells a process from another one with its number."""
    writer: bytes
    """8 bytes, random."""


def new_owner() -> Owner:
    """A writer of this process; it counts as open until `forget`."""
    owner = Owner(host_id(), os.getpid(), _started(os.getpid()) or 0, os.urandom(8))
    with _lock:
        _open_writers.add(owner.writer)
    return owner


def forget(owner: Owner) -> None:
    """The writer is closed."""
    with _lock:
        _open_writers.discard(owner.writer)


def holds(owner: Owner, topic: bytes, end: int, host: bytes | None = None) -> bool:
    """Whether a writer still holds a topic (by its id) whose log ends at `end`."""
    if owner.host != (host or host_id()):
        return not _silent(topic, end)
    if owner.pid != os.getpid():
        return _started(owner.pid) == owner.started
    with _lock:
        return owner.writer in _open_writers


def host_id() -> bytes:
    """The same for all processes that see each other in /proc."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_bytes()
    namespace = str(Path("/proc/self/ns/pid").readlink())
    return hashlib.sha256(boot + namespace.encode()).digest()[:8]


def _silent(topic: bytes, end: int) -> bool:
    """Whether this process has seen the log end at the same place for the time of a lease."""
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
    # The program's name stands in parentheses and may hold blanks; a zombie is as good as gone.
    state, *fields = stat.rpartition(")")[2].split()
    return None if state == "Z" else int(fields[18])
