"""Sets of transactions as the servers number them."""

import struct
import uuid
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from zcbus.connectors.errors import LogPositionLost, SourceUnavailable
from zcbus.connectors.mysql.capture.gtids import MariaDBGtids, MySQLGtids, check_contains, gtids_at, parse_previous
from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.mysql.connection.session import ServerVersion, Session
from zcbus.connectors.mysql.spec import MySQLOptions
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
    assert parse_previous(struct.pack("<Q", 2 << 56 | 1)) is None, "in an unknown form"


def test_transactions_with_tags_are_counted_by_themselves() -> None:
    gtids = MySQLGtids.parse(f"{B}:7, {A}:1-3:9:Nightly:1-5:8:other_2:1,\n{A}:nightly:6")
    gtids.add(f"{A}:nightly", 7)
    gtids.add(A, 4)
    assert str(gtids) == f"{A}:1-4:9:nightly:1-8:other_2:1,{B}:7"
    assert str(MySQLGtids.parse(str(gtids))) == str(gtids)
    assert gtids.has_tags
    assert not MySQLGtids.parse(f"{A}:1-3").has_tags


def test_a_set_with_tags_in_the_log_is_that_in_the_request() -> None:
    gtids = MySQLGtids.parse(f"{A}:1-3:nightly:1-5:8")
    server, runs = uuid.UUID(A).bytes, "<QQQQQ"
    untagged, tagged = struct.pack("<QQQ", 1, 1, 4), struct.pack(runs, 2, 1, 6, 8, 9)
    count = bytes([1, 2, 0, 0, 0, 0, 0, 1])  # the form on both ends, the number of sources between
    assert gtids.encoded() == count + server + b"\x00" + untagged + server + b"\x0enightly" + tagged
    found = parse_previous(gtids.encoded())
    assert found == [(A, (1, 4)), (f"{A}:nightly", (1, 6)), (f"{A}:nightly", (8, 9))]


def test_transactions_that_a_mariadb_server_lacks() -> None:
    gtids = MariaDBGtids("0-1-100,3-1-5")
    gtids.add("0-2", 101)
    assert str(gtids) == "0-2-101,3-1-5"
    assert gtids.missing_in("0-1-100,0-2-101,3-1-7") == ""
    assert gtids.missing_in("0-1-200,3-1-5") == "0-2-101"
    assert gtids.missing_in("") == "0-2-101,3-1-5"


@dataclass
class Uncounted:
    """Queries to a MySQL server without GTIDs, or without tags."""

    read_only: str = "OFF"
    gtid_mode: str = "OFF"
    version: ServerVersion = field(default_factory=lambda: ServerVersion.parse("8.0.36"))
    options: ConnectionOptions = field(default_factory=lambda: MySQLOptions("db", 3306, "u", "", "d"))

    def variable(self, name: str) -> str:
        return {"gtid_mode": self.gtid_mode, "server_uuid": B, "read_only": self.read_only}[name]

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


def test_an_older_server_is_not_asked_for_what_has_tags() -> None:
    server = Uncounted(gtid_mode="ON")
    with pytest.raises(LogPositionLost) as lost:
        check_contains(cast("Session", server), f"{A}:1-8:nightly:1-2")
    assert f"{B} lacks {A}:1-8:nightly:1-2" in str(lost.value.facts["detail"])
