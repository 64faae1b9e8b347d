"""Sets of transactions as the servers number them."""

import struct
import uuid

from zcbus.connectors.mysql.gtids import MariaDBGtids, MySQLGtids, parse_previous

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
