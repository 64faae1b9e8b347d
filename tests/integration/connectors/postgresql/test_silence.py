"""A connection over which nothing comes any more, without anybody being told."""

from dataclasses import replace

import pytest

from tests.servers.base import Server
from tests.support.proxy import Proxy
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.postgresql import stream as stream_module
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable, ChangeStream
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName

pytestmark = [pytest.mark.server, pytest.mark.fault]


def read_for(stream: ChangeStream, seconds: int, until: int = -1) -> int:
    """How many rows came; ends early with `until` of them."""
    rows = 0
    for _ in range(seconds):
        frames = [frame for frame in stream.read(1.0) if isinstance(frame, ChangeFrame)]
        rows += sum(table.rows.num_rows for frame in frames for table in frame.tables)
        if rows == until:
            break
    return rows


def test_a_dead_connection_is_noticed_and_the_slot_is_free_at_once(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "SILENT_SECONDS", 2.0)
    database = postgres_server.fresh_database("silence")
    postgres_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    proxy = Proxy(postgres_server.port)
    source = connector("postgresql").source(replace(postgres_server.options(database), port=proxy.port))
    tables = [CapturedTable(TableName("public", "t"), ("id",))]
    begin = source.prepare(database, tables)
    try:
        with source.open_changes(database, tables, begin) as stream:
            read_for(stream, 3)  # idle, but alive for longer than the limit
            assert proxy.lose_all() > 0
            with pytest.raises(SourceUnavailable):
                read_for(stream, 30)
        postgres_server.execute("INSERT INTO t VALUES (1)", database)
        with source.open_changes(database, tables, begin) as stream:
            assert read_for(stream, 30, until=1) == 1
    finally:
        source.drop(database)
        proxy.close()
