"""Which tests go to one worker of pytest-xdist: those of a file, and files that need the same slow servers.

A worker starts the servers that its tests ask for. Kafka, MySQL, OpenSearch and Cassandra take ten seconds of
processor and more until they answer, which is to be paid once, not by each worker.
"""

from functools import cache
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

_ALL_SERVERS = "tests/conformance/connectors"
"""Tests of a folder that need every server."""
_OF_ANOTHER = {f"{_ALL_SERVERS}/test_listing.py": "hdfs"}
"""Files of that folder that need none of its slow servers but another → its group."""
_SLOW = {
    "opensearch_server": _ALL_SERVERS,
    "cassandra_server": _ALL_SERVERS,
    "kafka_broker": _ALL_SERVERS,
    "kafka_topics": _ALL_SERVERS,
    "secure_kafka": _ALL_SERVERS,
    "tests.support.buses": _ALL_SERVERS,
    "tests.integration.engine.matrix": _ALL_SERVERS,
    "mysql_server": "mysql",
    "hdfs_folders": "hdfs",
}
"""Fixture of a server, or the module that has it → the group of the files that name it. MySQL's files keep a worker of
their own: one worker with all of them would be the last to end."""


class ByServers(LoadFileScheduling):
    """As `--dist loadfile`, with groups of files. Larger groups begin first."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        self._group = cache(lambda file: group_of(config.rootpath, file))

    def _split_scope(self, nodeid: str) -> str:
        return self._group(super()._split_scope(nodeid))


def group_of(root: Path, file: str) -> str:
    """The group of a file of tests, given relative to `root`; the file itself where it needs no slow server.

    What a folder's conftest.py needs, each of its files does."""
    if file.startswith(f"{_ALL_SERVERS}/"):
        return _OF_ANOTHER.get(file, _ALL_SERVERS)
    path = root / file
    text = "".join(one.read_text("utf-8") for one in (path, path.with_name("conftest.py")) if one.exists())
    return next((group for fixture, group in _SLOW.items() if fixture in text), file)
