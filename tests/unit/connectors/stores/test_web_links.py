"""Lists of files: pages as servers make them, manifests, and what is none."""

import pytest

from zcbus.connectors.stores.web.links import (
    NotListed,
    folder_of,
    is_name,
    name_of,
    of_lines,
    of_manifest,
    of_page,
)

_PAGE = """<html><body><h1>Index of /export/</h1><pre><a href="../">../</a>
<a href="?C=M;O=A">Last modified</a> <a href="/export/?C=N">Name</a> <a HREF='orders/'>orders/</a>
<a href="a%20b.csv">a b.csv</a> <a href="/export/%E6%96%87.csv">文.csv</a> <a href="https://h/export/c.csv#top">c</a>
<a href="https://other/export/d.csv">d</a> <a href="/elsewhere/e.csv">e</a> <a href=".hidden.csv">.hidden</a>
<a href="x/../../secret.csv">up</a> <a href="mailto:a@b">mail</a> <a name="none">no link</a> <a href="">here</a>
"""


def test_links_of_a_page_below_its_folder() -> None:
    page = of_page(_PAGE, "https://h/export/", "https://h/export/")
    assert page.files == {
        "a b.csv": "https://h/export/a%20b.csv",
        "文.csv": "https://h/export/%E6%96%87.csv",
        "c.csv": "https://h/export/c.csv",
    }
    assert page.folders == ["https://h/export/orders/"]


def test_names_of_a_page_further_below() -> None:
    page = of_page(
        '<a href="x.csv">x</a><a href="../a.csv">a</a><a href="../">up</a>', "https://h/e/o/", "https://h/e/"
    )
    assert page.files == {"o/x.csv": "https://h/e/o/x.csv", "a.csv": "https://h/e/a.csv"}
    assert page.folders == []


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("https://h", "https://h/"),
        ("https://h/a/b", "https://h/a/"),
        ("https://h/a/", "https://h/a/"),
        ("https://h/a/i.html?x=/y/", "https://h/a/"),
    ],
)
def test_folders(url: str, folder: str) -> None:
    assert folder_of(url) == folder


def test_a_manifest() -> None:
    body = b'\xef\xbb\xbf{"items": ["a.csv", {"href": "/b.csv"}, {"name": "t/c.csv", "url": "https://o/get?id=1"}]}'
    assert of_manifest(body, "https://h/e/list.json") == {
        "a.csv": "https://h/e/a.csv",
        "b.csv": "https://h/b.csv",
        "t/c.csv": "https://o/get?id=1",
    }
    assert of_manifest(b"[]", "https://h/") == {}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"\xff",
        b'{"files": {"a": 1}}',
        b"[1]",
        b'[{"name": "a.csv"}]',
        b'[{"name": 1, "url": "a"}]',
        b'["../.a.csv"]',
        b'[{"name": "../a", "url": "a"}]',
        b'["a.csv", {"name": "a.csv", "url": "b.csv"}]',
        b'["http://[1"]',
        b"[" * 100_000,
    ],
)
def test_what_is_no_manifest(body: bytes) -> None:
    with pytest.raises(NotListed):
        of_manifest(body, "https://h/e/list.json")


def test_lines() -> None:
    text = "# all\n\na.csv\n  t/b.csv = https://o/get?id=1&x = 2  \nhttps://h/e/q.csv?v=a=b\n".replace("&x = 2", "&x=2")
    assert of_lines(text, "https://h/e/") == {
        "a.csv": "https://h/e/a.csv",
        "t/b.csv": "https://o/get?id=1&x=2",
        "q.csv": "https://h/e/q.csv?v=a=b",
    }


def test_names() -> None:
    assert name_of("https://h/e/a%2Fb/c%20d.csv?x=1", "https://h/e/") == "a%2Fb/c d.csv"
    for name in ("", "a//b", "../a", "a/./b", ".a", "a\n", "/a", "a" * 513):
        assert not is_name(name)
