"""Answers of servers are read as the protocol has them, and anything else is refused."""

import pytest

from zcbus.connectors.stores.s3.answers import Listed, Unexpected, page, refusal

_OBJECT = (
    "<Contents><Key>{key}</Key><LastModified>{time}</LastModified><ETag>&quot;5eb6&quot;</ETag>"
    "<Size>{size}</Size><Owner><ID>nobody</ID><Size>7</Size></Owner></Contents>"
)
_TIME = "2026-11-25T16:01:22.500Z"


def listing(content: str, root: str = "ListBucketResult") -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<{root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{content}</{root}>'.encode()


def one(key: str = "a", time: str = _TIME, size: object = 3) -> str:
    return _OBJECT.format(key=key, time=time, size=size)


def test_a_part_of_a_list() -> None:
    found = page(
        listing(
            "<IsTruncated>true</IsTruncated><NextContinuationToken>t+/=</NextContinuationToken>"
            + one("a &amp; ü/名.csv")
            + one("b")
        )
    )
    at = 1795622482.5
    assert found.objects == [
        Listed("a &amp; ü/名.csv".replace("&amp;", "&"), 3, "5eb6", at),
        Listed("b", 3, "5eb6", at),
    ]
    assert found.next == "t+/="


def test_the_last_part_has_nothing_behind_it() -> None:
    content = "<IsTruncated>false</IsTruncated><NextContinuationToken>t</NextContinuationToken>"
    assert page(listing(content)).next == ""


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        listing("", "Error"),
        listing("<IsTruncated>true</IsTruncated>"),
        listing(one(size=-1)),
        listing(one(size="many")),
        listing(one(time="yesterday")),
        listing(one(time="2026-11-25T16:01:22")),
        listing("<Contents><Size>1</Size></Contents>"),
        b'<!DOCTYPE l [<!ENTITY e "x">]>' + listing(one("&e;")).partition(b"\n")[2],
        listing(one("\x01")),
    ],
)
def test_invalid_listings_are_refused(body: bytes) -> None:
    with pytest.raises(Unexpected):
        page(body)


def test_errors_are_read_from_answers() -> None:
    document = b"<Error><Code>NoSuchBucket</Code><Message>No &lt;such&gt;</Message><Region>eu-1</Region></Error>"
    assert refusal(document) == {"Code": "NoSuchBucket", "Message": "No <such>", "Region": "eu-1"}
    assert refusal(b"gateway time-out") == refusal(listing("")) == {}
