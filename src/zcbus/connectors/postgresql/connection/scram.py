"""SCRAM-SHA-256 (RFC 5802, RFC 7677), the client's side, without channel binding."""

import base64
import hashlib
import hmac
import os
import stringprep
import unicodedata


class ScramFailed(Exception):
    """The server's responses are wrong: it does not know the password, or is not the expected server."""


class ScramClient:
    """One exchange: `first()`, `final(server_first)`, `verify(server_final)`."""

    def __init__(self, password: str, nonce: str | None = None) -> None:
        self._password = _prepare(password).encode()
        self._nonce = nonce or base64.b64encode(os.urandom(18)).decode()
        self._first = f"n=,r={self._nonce}"
        self._server_signature = b""

    def first(self) -> bytes:
        """The client's first message."""
        return f"n,,{self._first}".encode()

    def final(self, server_first: bytes) -> bytes:
        """The client's proof. Raises ScramFailed."""
        fields = _fields(server_first)
        nonce, salt, iterations = fields["r"], base64.b64decode(fields["s"]), int(fields["i"])
        if not nonce.startswith(self._nonce) or len(nonce) == len(self._nonce):
            raise ScramFailed("the server did not extend the nonce")
        without_proof = f"c=biws,r={nonce}"
        message = ",".join((self._first, server_first.decode(), without_proof)).encode()
        salted = hashlib.pbkdf2_hmac("sha256", self._password, salt, iterations)
        client_key = _sign(salted, b"Client Key")
        signature = _sign(hashlib.sha256(client_key).digest(), message)
        proof = bytes(a ^ b for a, b in zip(client_key, signature, strict=True))
        self._server_signature = _sign(_sign(salted, b"Server Key"), message)
        return f"{without_proof},p={base64.b64encode(proof).decode()}".encode()

    def verify(self, server_final: bytes) -> None:
        """Check that the server knows the password too. Raises ScramFailed."""
        signature = base64.b64decode(_fields(server_final)["v"])
        if not hmac.compare_digest(signature, self._server_signature):
            raise ScramFailed("the server's signature is wrong")


def _sign(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _fields(message: bytes) -> dict[str, str]:
    pairs = (part.partition("=") for part in message.decode().split(","))
    return {name: value for name, _, value in pairs}


def _prepare(password: str) -> str:
    """SASLprep (RFC 4013) as in PostgreSQL: a password that cannot be prepared is used unchanged."""
    mapped = "".join(
        " " if stringprep.in_table_c12(letter) else letter for letter in password if not stringprep.in_table_b1(letter)
    )
    normal = unicodedata.ucd_3_2_0.normalize("NFKC", mapped)
    return password if not normal or any(_prohibited(letter) for letter in normal) else normal


def _prohibited(letter: str) -> bool:
    tables = (
        stringprep.in_table_a1,
        stringprep.in_table_c12,
        stringprep.in_table_c21_c22,
        stringprep.in_table_c3,
        stringprep.in_table_c4,
        stringprep.in_table_c5,
        stringprep.in_table_c6,
        stringprep.in_table_c7,
        stringprep.in_table_c8,
        stringprep.in_table_c9,
    )
    return any(table(letter) for table in tables)
