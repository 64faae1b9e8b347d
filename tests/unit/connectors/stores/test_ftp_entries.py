"""Lines of lists as servers write them."""

import pytest

from zcbus.connectors.stores.ftp.entries import Entry, NotAnEntry, of_facts, of_list, seconds_of


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("type=file;size=12;modify=20260203040506;perm=r; a b.csv", Entry("a b.csv", False, 12, "20260203040506")),
        ("Type=File;Size=0;Modify=20260203040506.123;  x", Entry(" x", False, 0, "20260203040506.123")),
        ("modify=20260203040506;type=dir;unique=8U1; 文件", Entry("文件", True, None, "20260203040506")),
        ("type=file; unsized.csv", Entry("unsized.csv", False)),
        ("type=file;size=-1;modify=1; odd", Entry("odd", False)),
        ("type=cdir;modify=20260203040506; .", None),
        ("type=OS.unix=slink:/etc/passwd;size=9; link", None),
    ],
)
def test_facts(line: str, entry: Entry | None) -> None:
    assert of_facts(line) == entry


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        (
            "-rw-r--r--   1 0        0            1234 Nov 27 07:00 a b.csv",
            Entry("a b.csv", False, 1234, "", "1234 Nov 27 07:00"),
        ),
        ("-rw-r--r-- 1 ftp ftp 7 Mar  3  2023  two.csv", Entry(" two.csv", False, 7, "", "7 Mar  3  2023")),
        ("-rw-rw-r--+ 1 user 2026 99 Jan 12 10:01 12 10:01", Entry("12 10:01", False, 99, "", "99 Jan 12 10:01")),
        ("drwxr-xr-x    2 1000 1000 4096 Nov 27 06:59 orders", Entry("orders", True)),
        ("lrwxrwxrwx 1 root root 11 Nov 27 06:59 link -> /etc/passwd", None),
        ("crw-rw-rw- 1 root root 1, 3 Nov 27 06:59 null", None),
        ("11-27-26  07:00AM                 1234 a b.csv", Entry("a b.csv", False, 1234, "", "1234 11-27-26  07:00AM")),
        ("11-27-2026  17:00       <DIR>          orders", Entry("orders", True)),
        ("total 12", None),
        ("", None),
    ],
)
def test_lists_for_people(line: str, entry: Entry | None) -> None:
    assert of_list(line) == entry


@pytest.mark.parametrize("line", ["A.CSV;1  3/4  27-NOV-2026", "-rw-r--r-- 1 ftp ftp many Nov 27 07:00 a.csv", "?"])
def test_a_line_that_is_not_understood_is_not_left_out(line: str) -> None:
    with pytest.raises(NotAnEntry):
        of_list(line)


@pytest.mark.parametrize("line", ["size=1", "nothing", " name"])
def test_a_line_without_facts_is_none(line: str) -> None:
    with pytest.raises(NotAnEntry):
        of_facts(line)


def test_moments_are_of_utc() -> None:
    assert seconds_of("19700101000010") == 10.0
    assert seconds_of("19700101000010.25") == 10.25
