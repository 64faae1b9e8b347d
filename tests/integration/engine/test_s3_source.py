"""A folder in a bucket as a source: what becomes of objects becomes of their records, also while the server is away."""

from typing import cast

import pytest
from tests.integration.engine.running import Link
from tests.integration.engine.test_comparison import comparison
from tests.integration.engine.test_files_source import put, start, wait_for
from tests.servers.csv_folder import S3Folders

pytestmark = pytest.mark.server
PAIRS = [("s3_folders", "postgres_server")]


@pytest.mark.wide
def test_new_changed_and_removed_objects(link: Link) -> None:
    server = cast("S3Folders", link.source).server
    put(link, "orders/a.csv", 1, 3000)
    put(link, "orders/deep/b & c+ü.csv", 5000, 2)
    start(link)
    wait_for(link, {"orders/a.csv": (1, 3000, "名"), "orders/deep/b & c+ü.csv": (5000, 2, "名")})
    server.stop()
    link.wait_for_state("orders", "incremental-running")
    server.start()
    put(link, "orders/c.csv", 7000, 500)
    put(link, "orders/a.csv", 1, 10, "new")
    server.delete(f"{link.source_database}/orders/deep/b & c+ü.csv")
    wait_for(link, {"orders/a.csv": (1, 10, "new"), "orders/c.csv": (7000, 500, "名")})
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 0, 0)
