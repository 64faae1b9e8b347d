"""Signatures are those that AWS publishes as examples
(https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html)."""

from datetime import UTC, datetime

import pytest

from zcbus.connectors.stores.s3.signature import signed_headers, spelled_path, spelled_query

HOST = "examplebucket.s3.amazonaws.com"


@pytest.mark.parametrize(
    ("path", "query", "headers", "signature"),
    [
        (
            "/test.txt",
            {},
            {"range": "bytes=0-9"},
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            "/",
            {"prefix": "J", "max-keys": "2"},
            {},
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ],
    ids=["object", "list"],
)
def test_published_examples(path: str, query: dict[str, str], headers: dict[str, str], signature: str) -> None:
    signed = signed_headers(
        path,
        query,
        {"host": HOST, **headers},
        region="us-east-1",
        key="AKIAIOSFODNN7EXAMPLE",
        secret="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        at=datetime(2013, 5, 24, tzinfo=UTC),
    )
    names = ";".join(sorted(("host", *headers, "x-amz-content-sha256", "x-amz-date")))
    assert signed["authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        f"SignedHeaders={names},Signature={signature}"
    )


def test_only_what_needs_no_escape_is_sent_as_it_is() -> None:
    assert spelled_path("/a b/~-_.é+%2F*'") == "/a%20b/~-_.%C3%A9%2B%252F%2A%27"
    assert spelled_query({"prefix": "a/b c", "after": "+="}) == "after=%2B%3D&prefix=a%2Fb%20c"
