"""The operation log: who did what, from where, with what result."""

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

# No foreign keys: a record outlives the user and the tenant it speaks of.
audit_record = Table(
    "audit_record",
    metadata,
    id_column(),
    Column("recorded_at", UtcTimestamp, nullable=False),
    Column("tenant_id", String(ID_LENGTH)),
    Column("user_id", String(ID_LENGTH)),
    Column("user_name", String(50)),
    Column("address", String(64)),
    Column("request_id", String(ID_LENGTH), nullable=False),
    # The operation id of the call, as in the OpenAPI document.
    Column("action", String(100), nullable=False),
    Column("path", String(300), nullable=False),
    Column("subject", String(300)),
    Column("before", JsonDocument),
    Column("after", JsonDocument),
    # 'done' or 'failed'; a failed call names its error code. 'begun': it runs, or the platform ended meanwhile.
    Column("result", String(10), nullable=False),
    Column("error_code", String(100)),
    Index(None, "tenant_id", "recorded_at"),
    Index(None, "recorded_at"),
    Index(None, "subject", "recorded_at"),
)

# One link for each time a record was written: its begin, its result. Written by `platform.audit_chain` alone.
audit_link = Table(
    "audit_link",
    metadata,
    # Without gaps. Counted by the writer, under the lock that lets one transaction write at a time.
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("record_id", String(ID_LENGTH), nullable=False),
    Column("linked_at", UtcTimestamp, nullable=False),
    # SHA-256 of the record's content, in hexadecimal.
    Column("digest", String(64), nullable=False),
    # HMAC-SHA256 of this link and the seal of the one before, in hexadecimal.
    Column("seal", String(64), nullable=False),
    Index(None, "record_id"),
)

# One row: where the chain begins, moved by retention.
audit_anchor = Table(
    "audit_anchor",
    metadata,
    id_column("chain_id"),
    Column("began_at", UtcTimestamp, nullable=False),
    # Records that were there when the chain began: unchanged since then, unproved before.
    Column("earlier_records", BigInteger, nullable=False),
    # The last link that was removed, 0 before; the next link follows its seal.
    Column("sequence", BigInteger, nullable=False),
    Column("link_seal", String(64), nullable=False),
    Column("moved_at", UtcTimestamp, nullable=False),
    # HMAC-SHA256 of this row, in hexadecimal.
    Column("seal", String(64), nullable=False),
)

# Last verification of the chain by each control plane. Written by `operation_log.verification` alone.
audit_proof = Table(
    "audit_proof",
    metadata,
    # SHA-256 of host and data folder, in hexadecimal.
    Column("instance", String(64), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("checked_at", UtcTimestamp, nullable=False),
    # The last verification that read the whole chain; the others continue at the end that was proved.
    Column("whole_at", UtcTimestamp, nullable=False),
    Column("end_sequence", BigInteger, nullable=False),
    Column("end_seal", String(64), nullable=False),
    # Extent and breaks, JSON as it was sealed.
    Column("result", Text, nullable=False),
    # HMAC-SHA256 of this row, in hexadecimal.
    Column("seal", String(64), nullable=False),
)

# How far each receiver outside of the platform has the log. Written by `audit_stream` alone.
audit_stream = Table(
    "audit_stream",
    metadata,
    # 'file', 'syslog' or 'webhook'.
    Column("way", String(10), primary_key=True),
    # The last link that the receiver has.
    Column("sequence", BigInteger, nullable=False),
    # Links that retention removed before they were sent.
    Column("lost", BigInteger, nullable=False),
    Column("sent_at", UtcTimestamp),
    # Since when attempts fail, and the last one's reason; NULL: the last one succeeded.
    Column("failing_since", UtcTimestamp),
    Column("failure", String(500)),
    # The control plane that sends, until when no other one takes over.
    Column("holder", String(64)),
    Column("held_until", UtcTimestamp),
)
