"""Which tests go to one worker of pytest-xdist: those of a file, and files that need the same slow servers.

A worker starts the servers that its tests ask for. Kafka, MySQL and OpenSearch take ten seconds of processor and more
until they answer, which is to be paid once, not by each worker.
"""

from functools import cache
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

_ALL_SERVERS = "tests/conformance/connectors"
"""Tests of a folder that need every server."""
_SLOW = {
    "opensearch_server": _ALL_SERVERS,
    "kafka_broker": "kafka",
    "kafka_topics": "kafka",
    "mysql_server": "mysql",
}
"""Fixture of a server → the group of the files that name it."""


class ByServers(LoadFileScheduling):
    """As `--dist loadfile`, with groups of files. Larger groups begin first."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        self._group = cache(lambda file: group_of(config.rootpath, file))

    def _split_scope(self, nodeid: str) -> str:
        return self._group(super()._split_scope(nodeid))


def group_of(root: Path, file: str) -> str:
    """The group of a file of tests, given relative to `root`; the file itself where it needs no slow server."""
    if file.startswith(f"{_ALL_SERVERS}/"):
        return _ALL_SERVERS
    text = (root / file).read_text("utf-8")
    return next((group for fixture, group in _SLOW.items() if fixture in text), file)
