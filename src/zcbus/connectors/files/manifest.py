"""What was told of the files of a table, and what is to be told next."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from zcbus.connectors.stores import StoredFile

HEAD_BYTES = 4096
"""So much of the beginning of a file that grows is compared with what it was."""


@dataclass(frozen=True, slots=True)
class FileProgress:
    """What is on the bus of one file."""

    version: str = ""
    """Of which all was told; empty: a part, or nothing."""
    offset: int = 0
    """Up to this byte everything was told."""
    records: int = 0
    """How many records that were."""
    most: int = 0
    """No record with a higher number was ever told."""
    head: str = ""
    """Hash of the file's beginning up to `offset`, or of its first HEAD_BYTES."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is to be read of a file, and what was told of it before."""

    file: StoredFile
    before: FileProgress
    start: int
    """0: from the beginning, and what else was told of the file is no longer there."""


def changed_files(files: Iterable[StoredFile], published: Mapping[str, FileProgress]) -> list[StoredFile]:
    """Files that are new or changed, the oldest change first."""
    found = [file for file in files if published.get(file.name, FileProgress()).version != file.version]
    return sorted(found, key=lambda file: (file.changed_at, file.name))


def started(before: FileProgress, most: int) -> FileProgress:
    """What is to be remembered before records up to number `most` are told."""
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
