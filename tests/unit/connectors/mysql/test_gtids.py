"""Sets of transactions as the servers number them."""

import struct
import uuid
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from zcbus.connectors.errors import LogPositionLost, SourceUnavailable
from zcbus.connectors.mysql.gtids import MariaDBGtids, MySQLGtids, check_contains, gtids_at, parse_previous
from zcbus.connectors.mysql.position import LogFile
from zcbus.connectors.mysql.session import ServerVersion, Session
from zcbus.connectors.options import ConnectionOptions

A, B = "3e11fa47-71ca-11e1-9e33-c80aa9429562", "7e11fa47-71ca-11e1-9e33-c80aa9429562"


def test_numbers_join_in_whatever_order_they_come() -> None:
    gtids = MySQLGtids.parse(f"{A.upper()}:1-3:7,\n{B}:5")
    for number in (8, 5, 4, 6, 6):
        gtids.add(A, number)
    gtids.add(B, 9)
    assert str(gtids) == f"{A}:1-8,{B}:5:9"
    gtids.add_run(A, (3, 12))
    assert str(MySQLGtids.parse(str(gtids))) == str(gtids) == f"{A}:1-11,{B}:5:9"


def test_a_set_in_the_log_is_that_in_the_request() -> None:
    gtids = MySQLGtids.parse(f"{A}:1-3:7,{B}:5")
    assert parse_previous(gtids.encoded()) == [(A, (1, 4)), (A, (7, 8)), (B, (5, 6))]
    assert gtids.encoded()[8:24] == uuid.UUID(A).bytes
    assert parse_previous(struct.pack("<Q", 1 << 56 | 1)) is None, "with tags"


def test_what_a_mariadb_server_lacks() -> None:
    gtids = MariaDBGtids("0-1-100,3-1-5")
    gtids.add("0-2", 101)
    assert str(gtids) == "0-2-101,3-1-5"
    assert gtids.missing_in("0-1-100,0-2-101,3-1-7") == ""
    assert gtids.missing_in("0-1-200,3-1-5") == "0-2-101"
    assert gtids.missing_in("") == "0-2-101,3-1-5"


@dataclass
class Uncounted:
    """What is asked of a MySQL server that does not count its transactions."""

    read_only: str = "OFF"
    version: ServerVersion = field(default_factory=lambda: ServerVersion.parse("8.0.36"))
    options: ConnectionOptions = field(default_factory=lambda: ConnectionOptions("mysql", "db", 3306, "u", "", "d"))

    def variable(self, name: str) -> str:
        return {"gtid_mode": "OFF", "server_uuid": B, "read_only": self.read_only}[name]

    def rows(self, sql: str, params: object = ()) -> list[tuple[Any, ...]]:
        raise AssertionError(sql)


def test_a_server_that_counts_nothing_gives_no_set_and_proves_nothing() -> None:
    server = Uncounted()
    assert gtids_at(cast("Session", server), LogFile("binlog", 1), 4, "") is None
    with pytest.raises(LogPositionLost) as lost:
        check_contains(cast("Session", server), f"{A}:1-8")
    assert f"{B} lacks {A}:1-8" in str(lost.value.facts["detail"])
    with pytest.raises(SourceUnavailable):
        check_contains(cast("Session", Uncounted(read_only="ON")), f"{A}:1-8")
