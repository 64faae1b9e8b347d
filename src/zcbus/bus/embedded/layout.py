"""Layout of a topic on disk.

<root>/<topic, '/' written as '+'>/
    writer.lock                 flock held by the writer; the kernel releases it when the process dies
    durable                     how far the topic is on disk (see marker)
    00000000000000000000.seg    records, named for the offset of the first one
    00000000000000000000.idx    positions of some of them; a hint that may be missing (see index)
"""

import fcntl
import os
import shutil
from pathlib import Path

from zcbus.bus.contract import TopicBusy
from zcbus.bus.topics import check_name
from zcbus.kit.ids import new_id

SEGMENT_SUFFIX = ".seg"
INDEX_SUFFIX = ".idx"
DURABLE_NAME = "durable"
_LOCK_NAME = "writer.lock"
_TRASH_PREFIX = "~"


def topic_folder(root: Path, topic: str) -> Path:
    """The folder of a topic. Raises TopicNameInvalid."""
    check_name(topic)
    return root / topic.replace("/", "+")


def topic_names(root: Path, prefix: str) -> list[str]:
    """Names of the topics with a prefix, sorted."""
    if not root.is_dir():
        return []
    names = (entry.name.replace("+", "/") for entry in root.iterdir() if not entry.name.startswith(_TRASH_PREFIX))
    return sorted(name for name in names if name.startswith(prefix))


def segment_path(folder: Path, base: int) -> Path:
    """The file of the segment whose first record has the offset `base`."""
    return folder / f"{base:020d}{SEGMENT_SUFFIX}"


def segment_bases(folder: Path) -> list[int]:
    """First offsets of the existing segments, ascending."""
    return sorted(int(path.stem) for path in folder.glob(f"*{SEGMENT_SUFFIX}"))


def remove_segment(folder: Path, base: int) -> None:
    """Remove a segment and its index; idempotent."""
    path = segment_path(folder, base)
    path.unlink(missing_ok=True)
    path.with_suffix(INDEX_SUFFIX).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make created, renamed and removed files durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def lock_topic(folder: Path, topic: str) -> int:
    """Create the folder if needed and become its only writer. Raises TopicBusy.

    The lock is held until the descriptor is closed.
    """
    while True:
        _make_folder(folder)
        try:
            descriptor = os.open(folder / _LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue  # The topic was deleted meanwhile.
        if _try_lock(descriptor, topic) and _is_file_at(descriptor, folder / _LOCK_NAME):
            return descriptor
        os.close(descriptor)


def trash_folder(root: Path, folder: Path) -> None:
    """Remove a topic's folder: rename it first, then delete its files."""
    trash = folder.rename(root / f"{_TRASH_PREFIX}{new_id()}")
    # Readers of other processes detect the deletion by this file, so it is removed first.
    (trash / DURABLE_NAME).unlink(missing_ok=True)
    shutil.rmtree(trash, ignore_errors=True)


def empty_trash(root: Path) -> None:
    """Finish deletions that a crash interrupted."""
    for entry in root.glob(f"{_TRASH_PREFIX}*"):
        shutil.rmtree(entry, ignore_errors=True)


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    sync_folder(folder.parent)


def _try_lock(descriptor: int, topic: str) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise TopicBusy(topic=topic) from None
    return True


def _is_file_at(descriptor: int, path: Path) -> bool:
    """Whether the locked file is still at the path: the topic may have been deleted meanwhile."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
