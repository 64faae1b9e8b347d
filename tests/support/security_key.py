"""A security key in software, written down from WebAuthn (level 2) and CTAP2 apart from the platform's library: one
ES256 key for each registration, presence always, attestation `none`."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

_PRESENT, _VERIFIED, _ATTESTED = 0x01, 0x04, 0x40


def encoded(content: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass
class SoftKey:
    """`origin` is that of the page that a browser would name. `count` is what the key counts, None: it does not.
    Fields may be changed to be a wrong key."""

    origin: str
    count: int | None = 0
    flags: int = _PRESENT
    rp_id: str | None = None
    kind: str | None = None
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    secret: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def register(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to the options of `navigator.credentials.create`."""
        point = self.secret.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id + cbor2.dumps(public)
        data = self._data(options["rp"]["id"], _ATTESTED) + attested
        answer = {
            "clientDataJSON": encoded(self._client_data("webauthn.create", options)),
            "attestationObject": encoded(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
            "transports": ["usb"],
        }
        return self._credential(answer)

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to the options of `navigator.credentials.get`."""
        if self.count is not None:
            self.count += 1
        client, data = self._client_data("webauthn.get", options), self._data(options["rpId"], 0)
        signature = self.secret.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        answer = {
            "clientDataJSON": encoded(client),
            "authenticatorData": encoded(data),
            "signature": encoded(signature),
            "userHandle": None,
        }
        return self._credential(answer)

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        name = encoded(self.credential_id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}

    def _data(self, rp_id: str, flags: int) -> bytes:
        name = hashlib.sha256((self.rp_id or rp_id).encode()).digest()
        return name + bytes([self.flags | flags]) + (self.count or 0).to_bytes(4, "big")

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        said = {"type": self.kind or kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps({**said, "crossOrigin": False}).encode()
