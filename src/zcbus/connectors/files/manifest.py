"""The published state of a table's files, and the files to publish next."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from zcbus.connectors.stores import StoredFile

HEAD_BYTES = 4096
"""Bytes at the start of a growing file that are compared with the earlier ones."""


@dataclass(frozen=True, slots=True)
class FileProgress:
    """The part of a file that is on the bus."""

    version: str = ""
    """The completely published version; empty: a part was published, or nothing."""
    offset: int = 0
    """Everything up to this byte was published."""
    records: int = 0
    """How many records that were."""
    most: int = 0
    """No record with a higher number was ever published."""
    head: str = ""
    """Hash of the file's beginning up to `offset`, or of its first HEAD_BYTES."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The part of a file to read, and the earlier published part."""

    file: StoredFile
    before: FileProgress
    start: int
    """0: from the start; the published part no longer exists."""


def changed_files(files: Iterable[StoredFile], published: Mapping[str, FileProgress]) -> list[StoredFile]:
    """Files that are new or changed, the oldest change first."""
    found = [file for file in files if published.get(file.name, FileProgress()).version != file.version]
    return sorted(found, key=lambda file: (file.changed_at, file.name))


def started(before: FileProgress, most: int) -> FileProgress:
    """The state to remember before records up to number `most` are published."""
    return replace(before, version="", most=max(before.most, most))


def hashed(head: bytes) -> str:
    """Of the beginning of a file."""
    return hashlib.blake2b(head, digest_size=16).hexdigest()


def to_document(published: Mapping[str, FileProgress]) -> dict[str, list[Any]]:
    """For JSON."""
    return {name: [one.version, one.offset, one.records, one.most, one.head] for name, one in published.items()}


def from_document(document: Mapping[str, Any]) -> dict[str, FileProgress]:
    """Inverse of to_document."""
    return {name: FileProgress(*values) for name, values in document.items()}
