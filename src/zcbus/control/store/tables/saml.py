"""SAML sign-in: the key that signs requests to the identity provider, and the assertions that were used."""

from sqlalchemy import Column, Index, String, Table, Text

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, metadata
from zcbus.control.store.sealed import Sealed

# At most one row: all control planes over a store are one party to the provider.
saml_key = Table(
    "saml_key",
    metadata,
    Column("id", String(ID_LENGTH), primary_key=True),
    # PEM both.
    Column("certificate", Text, nullable=False),
    Column("sealed_key", Sealed("saml-key:{key}"), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
)

used_assertion = Table(
    "used_assertion",
    metadata,
    # SHA-256 of the assertion's id.
    Column("id_hash", String(64), primary_key=True),
    # From then on the assertion opens nothing anyway.
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "expires_at"),
)
