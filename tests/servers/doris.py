"""A Doris or StarRocks that an operator runs, where ZCBUS_TEST_DORIS=user:password@host:port/database names it."""

import re
from collections.abc import Sequence

from tests.servers.tidb import NamedTiDB

_KEY = re.compile(r"^(CREATE TABLE .*), PRIMARY KEY \(([^)]*)\)\)\s*$", re.DOTALL)


class NamedDoris(NamedTiDB):
    """See NamedTiDB. A key is a clause behind the columns there."""

    kind = "doris"

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        model = "UNIQUE" if "doris" in str(self.rows("SELECT @@version_comment")[0][0]).lower() else "PRIMARY"
        layout = r"DISTRIBUTED BY HASH (\2) BUCKETS 1 PROPERTIES ('replication_num' = '1')"
        super().execute(_KEY.sub(rf"\1) {model} KEY (\2) {layout}", sql), database, params)
