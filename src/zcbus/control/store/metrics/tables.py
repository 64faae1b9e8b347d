"""Tables of the metric store. They are not in the metadata's migrations: figures may be lost, and are collected
again."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, LargeBinary, MetaData, String, Table

from zcbus.control.store.columns import NAMING_CONVENTION

metadata = MetaData(naming_convention=NAMING_CONVENTION)

_KIND_LENGTH = 30

# What has figures. Numbers count from 0 for each kind and are not used twice.
metric_subject = Table(
    "metric_subject",
    metadata,
    Column("kind", String(_KIND_LENGTH), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    # The id in the metadata.
    Column("subject", String(64), nullable=False),
    Index(None, "kind", "subject", unique=True),
)

# The newest sample: one row.
metric_turn = Table(
    "metric_turn",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("slot", BigInteger, nullable=False),
    # Seconds since 1970.
    Column("at", Double, nullable=False),
)

# What counters stood at in the newest sample: `series.pack` of one point for each of a chunk's subjects.
metric_counter = Table(
    "metric_counter",
    metadata,
    Column("kind", String(_KIND_LENGTH), primary_key=True),
    Column("chunk", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

# Samples that are not in blocks yet: as above.
metric_sample = Table(
    "metric_sample",
    metadata,
    Column("kind", String(_KIND_LENGTH), primary_key=True),
    Column("chunk", Integer, primary_key=True, autoincrement=False),
    Column("slot", BigInteger, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

# One subject's points of one resolution: `series.pack` of a point for each interval from `start` on.
metric_block = Table(
    "metric_block",
    metadata,
    Column("kind", String(_KIND_LENGTH), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    # Seconds of an interval.
    Column("step", Integer, primary_key=True, autoincrement=False),
    # Seconds since 1970.
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
    Index(None, "step", "start"),
)

# With the store on another server: up to where points of a resolution were sent to it.
metric_forwarded = Table(
    "metric_forwarded",
    metadata,
    # Seconds of an interval.
    Column("step", Integer, primary_key=True, autoincrement=False),
    # Seconds since 1970.
    Column("until", BigInteger, nullable=False),
)

# That server: one row. Moments are seconds since 1970.
metric_server = Table(
    "metric_server",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # The process that sends, and until when no other one does.
    Column("holder", String(32), nullable=False),
    Column("held_until", Double, nullable=False),
    Column("failing_since", Double),
    Column("failure", String(400)),
    # The last time that it refused points for good, and the end of the last refused ones.
    Column("refused_at", Double),
    Column("refusal", String(400)),
    Column("refused_until", BigInteger, nullable=False, default=0),
)
