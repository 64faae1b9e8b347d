"""Own alert rules of tenants, what they found last, and the turn of their evaluation."""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, id_column, metadata
from zcbus.control.store.tables.container import AGENT_ID_LENGTH

alert_rule = Table(
    "alert_rule",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(100), nullable=False),
    # A `features.metric.catalogue.SubjectKind`, and the name of one of its metrics.
    Column("kind", String(30), nullable=False),
    Column("metric", String(50), nullable=False),
    # Which subjects of the tenant; NULL, '': all. No foreign keys: a rule about what is gone has no subject.
    Column("container_id", String(ID_LENGTH)),
    Column("link_id", String(ID_LENGTH)),
    Column("service_id", String(ID_LENGTH)),
    # Names as `orders.*`; '': any.
    Column("pattern", String(200), nullable=False),
    # 'gt', 'ge', 'lt' or 'le', and the value in the metric's unit, counters per second.
    Column("comparison", String(2), nullable=False),
    Column("threshold", Double, nullable=False),
    # How long it must hold.
    Column("seconds", Integer, nullable=False),
    # As alerts have it.
    Column("level", Integer, nullable=False),
    # Whether a subject without figures for so long is an alert too.
    Column("on_missing", Boolean, nullable=False),
    # Receivers are notified again while an alert lasts and is not acknowledged; 0: once.
    Column("repeat_minutes", Integer, nullable=False),
    # Quiet hours: minutes of the day, and the zone they are read in; NULL: none.
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("quiet_zone", String(64)),
    # Its alerts are muted until then; NULL: they are not.
    Column("muted_until", UtcTimestamp),
    Column("enabled", Boolean, nullable=False),
    # Since when it has the present condition: alerts that were raised before are of another one.
    Column("condition_since", UtcTimestamp, nullable=False),
    # By the last evaluation: subjects it concerns, and those without figures. NULL: it was not evaluated yet.
    Column("subjects", Integer),
    Column("missing", Integer),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Column("updated_by", String(100), nullable=False),
    Index(None, "tenant_id", "name", unique=True),
)

alert_rule_state = Table(
    "alert_rule_state",
    metadata,
    # Subjects whose figure is not in order; all others have no row.
    Column("rule_id", String(ID_LENGTH), ForeignKey("alert_rule.id", ondelete="CASCADE"), primary_key=True),
    Column("subject", String(AGENT_ID_LENGTH), primary_key=True),
    Column("name", String(600), nullable=False),
    # The service it belongs to; NULL: a host.
    Column("service_id", String(ID_LENGTH)),
    # 'pending', 'firing', 'missing' or 'missing-firing' (`features.alert_rule.machine.State`).
    Column("state", String(20), nullable=False),
    # Since when the condition holds, and the figure then; NULL: it does not.
    Column("since", UtcTimestamp),
    Column("value", Double),
    # Since when it is an alert; NULL: it is none.
    Column("fired_at", UtcTimestamp),
    # Since when there are no figures; NULL: there are.
    Column("missing_since", UtcTimestamp),
    Index(None, "state"),
)

# The newest sample that all rules were evaluated with: one row.
alert_rule_turn = Table(
    "alert_rule_turn",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("slot", BigInteger, nullable=False),
    Column("at", UtcTimestamp, nullable=False),
)
