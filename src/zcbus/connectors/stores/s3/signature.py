"""Signatures of requests: AWS Signature Version 4
(https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html)."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote

_ALGORITHM = "AWS4-HMAC-SHA256"


def spelled_path(path: str) -> str:
    """A path as signed and sent."""
    return quote(path, safe="/-_.~")


def spelled_query(query: Mapping[str, str]) -> str:
    """Parameters as they are signed and sent."""
    return "&".join(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in sorted(query.items()))


def signed_headers(
    path: str,
    query: Mapping[str, str],
    headers: Mapping[str, str],
    *,
    region: str,
    key: str,
    secret: str,
    at: datetime,
    method: str = "GET",
    body: bytes = b"",
) -> dict[str, str]:
    """Headers of a request: the given ones, which must have `host`, and the signature of all of them.

    `path` and `query`: before encoding. `at`: in UTC.
    """
    moment = at.strftime("%Y%m%dT%H%M%SZ")
    signed = {name.lower(): value for name, value in headers.items()}
    digest = hashlib.sha256(body).hexdigest()
    signed |= {"x-amz-content-sha256": digest, "x-amz-date": moment}
    names = ";".join(sorted(signed))
    lines = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
    request = "\n".join((method, spelled_path(path), spelled_query(query), lines, names, digest))
    scope = f"{moment[:8]}/{region}/s3/aws4_request"
    text = "\n".join((_ALGORITHM, moment, scope, hashlib.sha256(request.encode()).hexdigest()))
    derived = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        derived = _keyed(derived, part)
    signature = _keyed(derived, text).hex()
    signed["authorization"] = f"{_ALGORITHM} Credential={key}/{scope},SignedHeaders={names},Signature={signature}"
    return signed


def _keyed(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
