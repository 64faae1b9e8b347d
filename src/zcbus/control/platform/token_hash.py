"""Hash under which tokens are stored."""

import hashlib


def token_hash(token: str) -> str:
    """SHA-256 in hexadecimal. A token is random, so that a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
