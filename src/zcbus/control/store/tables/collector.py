"""Whether control planes reach their collector of OpenTelemetry."""

from sqlalchemy import Column, String, Table

from zcbus.control.store.columns import UtcTimestamp, metadata

# The newest export of metrics by each control plane. Written by the feature `metric` alone.
metric_export = Table(
    "metric_export",
    metadata,
    # The control plane (platform.services.Services.instance), and its host.
    Column("instance", String(64), primary_key=True),
    Column("host", String(255), nullable=False),
    # The collector's address.
    Column("collector", String(500), nullable=False),
    Column("tried_at", UtcTimestamp, nullable=False),
    # Since when exports fail, and the last one's reason; NULL: the last one succeeded.
    Column("failing_since", UtcTimestamp),
    Column("failure", String(400)),
)
