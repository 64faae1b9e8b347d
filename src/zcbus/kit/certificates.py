"""Certificates of the platform's own authority: created, signed and read, all in PEM."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_LIFETIME = timedelta(days=3650)
SERVER_LIFETIME = timedelta(days=365)
RENEWED_BEFORE = timedelta(days=30)
_SKEW = timedelta(minutes=5)
"""Tolerance for hosts whose clocks differ."""
_MAX_NAME_LENGTH = 64
_RSA_BITS = 2048


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate with its private key. The key is never logged."""

    certificate: bytes
    key: bytes


class RequestInvalidError(ValueError):
    """A signing request cannot be read, or its sender does not prove possession of the key."""


def make_authority(now: datetime, name: str) -> KeyPair:
    """A new authority for certificates of servers and clients; it cannot sign further authorities."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _name(name)
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        _builder(subject, subject, key.public_key(), now, AUTHORITY_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    return KeyPair(certificate.public_bytes(Encoding.PEM), _pem(key))


def make_server_certificate(authority: KeyPair, now: datetime, names: Sequence[str]) -> KeyPair:
    """A certificate for a server with these host names and addresses."""
    key = ec.generate_private_key(ec.SECP256R1())
    alternatives = x509.SubjectAlternativeName([_general_name(name) for name in names])
    certificate = _signed(
        authority,
        _builder(_name(names[0]), _issuer(authority), key.public_key(), now, SERVER_LIFETIME).add_extension(
            alternatives, critical=False
        ),
        ExtendedKeyUsageOID.SERVER_AUTH,
    )
    return KeyPair(certificate, _pem(key))


def make_signing_certificate(now: datetime, name: str) -> KeyPair:
    """An RSA key that signs requests to identity providers, and a certificate of its own for their administrators:
    few of them take other kinds of keys."""
    key = rsa.generate_private_key(65537, _RSA_BITS)
    subject = _name(name)
    certificate = _builder(subject, subject, key.public_key(), now, AUTHORITY_LIFETIME).sign(key, SHA256())
    return KeyPair(certificate.public_bytes(Encoding.PEM), _pem(key))


def make_request(name: str) -> tuple[bytes, bytes]:
    """A new key and a signing request for it."""
    key = ec.generate_private_key(ec.SECP256R1())
    request = x509.CertificateSigningRequestBuilder().subject_name(_name(name)).sign(key, SHA256())
    return request.public_bytes(Encoding.PEM), _pem(key)


def sign_client(authority: KeyPair, request: bytes, name: str, now: datetime) -> bytes:
    """A client certificate for the key of a signing request. Raises RequestInvalidError.

    The name comes from the caller: names in the request are ignored.
    """
    try:
        parsed = x509.load_pem_x509_csr(request)
        proven = parsed.is_signature_valid
        key = parsed.public_key()
    except (ValueError, InvalidSignature) as error:
        raise RequestInvalidError from error
    if not proven or not isinstance(key, ec.EllipticCurvePublicKey):
        raise RequestInvalidError
    builder = _builder(_name(name), _issuer(authority), key, now, AUTHORITY_LIFETIME)
    return _signed(authority, builder, ExtendedKeyUsageOID.CLIENT_AUTH)


def fingerprint(certificate: bytes) -> str:
    """SHA-256 fingerprint of a certificate, hexadecimal."""
    return x509.load_pem_x509_certificate(certificate).fingerprint(SHA256()).hex()


def end_of(chain: bytes) -> datetime:
    """The first end among the certificates of a PEM file. Raises ValueError: it has none that can be read."""
    return min(certificate.not_valid_after_utc for certificate in x509.load_pem_x509_certificates(chain))


def is_good_for(certificate: bytes, authority: bytes, names: Sequence[str], now: datetime) -> bool:
    """Whether a server's certificate is from this authority, has all these names, and does not expire soon."""
    try:
        loaded, issuer = x509.load_pem_x509_certificate(certificate), x509.load_pem_x509_certificate(authority)
        loaded.verify_directly_issued_by(issuer)
        present = loaded.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    return {_general_name(name) for name in names} <= set(present) and loaded.not_valid_after_utc - now > RENEWED_BEFORE


def _signed(authority: KeyPair, builder: x509.CertificateBuilder, purpose: x509.ObjectIdentifier) -> bytes:
    key = load_pem_private_key(authority.key, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    certificate = (
        builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    return certificate.public_bytes(Encoding.PEM)


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey | rsa.RSAPublicKey,
    now: datetime,
    lifetime: timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + lifetime)
    )


def _issuer(authority: KeyPair) -> x509.Name:
    return x509.load_pem_x509_certificate(authority.certificate).subject


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:_MAX_NAME_LENGTH])])


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
