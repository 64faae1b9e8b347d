"""Containers, their agents, the services that run in them, and what agents are asked."""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, String, Table, Text

from zcbus.control.store.columns import (
    ID_LENGTH,
    JsonDocument,
    UtcTimestamp,
    id_column,
    metadata,
    unreduced_column,
    unreduced_index,
)
from zcbus.control.store.sealed import Sealed

AGENT_ID_LENGTH = 64

container = Table(
    "container",
    metadata,
    id_column(),
    # NULL: shared by all tenants.
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id")),
    Column("name", String(100), nullable=False, unique=True),
    Column("display_name", String(200), nullable=False),
    Column("description", String(200)),
    # Whether a service goes to another host of the container when its own is gone.
    Column("moves_services", Boolean, nullable=False, server_default="1"),
    # Further properties of the workers' connections to Kafka: JSON of {push, client}, sealed; NULL: none.
    Column("sealed_properties", Sealed("container:{key}:properties")),
    # What is set of `model.properties`, by their keys; NULL: nothing.
    Column("properties", JsonDocument),
    # Where its services may connect to and listen (container.schemas.ContainerNetwork); NULL: nothing is set.
    Column("network", JsonDocument),
    # Grows with every change of an order, so that agents learn cheaply whether something changed.
    Column("revision", BigInteger, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
)

agent = Table(
    "agent",
    metadata,
    # Chosen by the agent itself.
    Column("id", String(AGENT_ID_LENGTH), primary_key=True),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id", ondelete="CASCADE"), nullable=False),
    Column("host", String(255), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("version", String(50), nullable=False),
    Column("registered_at", UtcTimestamp, nullable=False),
    Column("heartbeat_at", UtcTimestamp, nullable=False),
    # The container's revision whose orders the agent follows.
    Column("orders_revision", BigInteger, nullable=False, server_default="0"),
    # Since when its heartbeats came without a gap.
    Column("contact_since", UtcTimestamp),
    # Whether it said that it runs its services only on a lease: others may take them over when it is gone.
    Column("leased", Boolean, nullable=False, server_default="0"),
    # The bus it works with, as agents that share one call it; '': one of its own. NULL: not reported.
    Column("bus", String(500)),
    # The host's figures as of the last heartbeat; NULL: not measured.
    Column("cpu_percent", Double),
    Column("memory_used", BigInteger),
    Column("memory_total", BigInteger),
    Column("disk_used", BigInteger),
    Column("disk_total", BigInteger),
    # Of the host's operating system and hardware; empty where the agent cannot read them.
    Column("machine_code", String(64), nullable=False, server_default=""),
    Column("serial_number", String(100), nullable=False, server_default=""),
    # Whether its version takes references to secrets, in connections and network routes.
    Column("reads_route_references", Boolean, nullable=False, server_default="0"),
    Index(None, "container_id"),
)

# What one host of a container signs in as.
host_account = Table(
    "host_account",
    metadata,
    id_column(),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id", ondelete="CASCADE"), nullable=False),
    # The agent, the host's name and its machine code; NULL until an agent registers with the first token.
    Column("agent_id", String(AGENT_ID_LENGTH)),
    Column("host", String(255)),
    Column("machine_code", String(64)),
    # Whether the host has a certificate in the account's name, without which its tokens do not count.
    Column("certified", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcTimestamp, nullable=False),
    # Since when its tokens are refused; the row stays, so that the agent learns why.
    Column("removed_at", UtcTimestamp),
    Index(None, "agent_id"),
    Index(None, "container_id"),
)

host_token = Table(
    "host_token",
    metadata,
    id_column(),
    Column("account_id", String(ID_LENGTH), ForeignKey("host_account.id", ondelete="CASCADE"), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "account_id"),
)

# The ends of the TLS certificates of agents' hosts and of control planes.
tls_certificate = Table(
    "tls_certificate",
    metadata,
    id_column(),
    # NULL: a control plane's.
    Column("agent_id", String(AGENT_ID_LENGTH), ForeignKey("agent.id", ondelete="CASCADE")),
    # Of a control plane: `Services.instance`.
    Column("instance", String(64)),
    Column("host", String(255), nullable=False),
    # 'agent', 'gateway' (protocol.agent.CertificateEnd), 'control-plane', 'issued', 'authority'.
    Column("use", String(20), nullable=False),
    Column("file", String(1000), nullable=False),
    Column("ends_at", UtcTimestamp, nullable=False),
    Column("seen_at", UtcTimestamp, nullable=False),
    Index(None, "agent_id"),
    Index(None, "ends_at"),
)

# The holder of an unused token may join one host to the container.
join_token = Table(
    "join_token",
    metadata,
    id_column(),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id", ondelete="CASCADE"), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "expires_at"),
)

service = Table(
    "service",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id"), nullable=False),
    # The agent that runs it; NULL until one takes it.
    Column("agent_id", String(AGENT_ID_LENGTH), ForeignKey("agent.id", ondelete="SET NULL")),
    # It stays there, whatever becomes of that host.
    Column("pinned", Boolean, nullable=False, server_default="0"),
    # The agent that gets it once the present one has stopped it. Without a foreign key: SQLite cannot add one.
    Column("next_agent_id", String(AGENT_ID_LENGTH)),
    # 'publish' or 'subscribe'.
    Column("type", String(20), nullable=False),
    Column("name", String(200), nullable=False),
    # What operators say of it.
    Column("log_level", String(10), nullable=False, server_default="info"),
    Column("remark", String(200), nullable=False, server_default=""),
    # Since when no container runs it; its positions are kept. NULL: one does.
    Column("removed_at", UtcTimestamp),
    # What should be.
    Column("desired", String(20), nullable=False),
    Column("forced", Boolean, nullable=False),
    Column("restart", Integer, nullable=False),
    # The container's revision from which on that holds; what an agent with older orders sees is not yet its answer.
    Column("revision", BigInteger, nullable=False, server_default="0"),
    # What the agent sees of the process.
    Column("observed", String(20), nullable=False),
    Column("pid", Integer),
    Column("started_at", UtcTimestamp),
    Column("restarts", Integer, nullable=False),
    Column("next_attempt_at", UtcTimestamp),
    Column("last_exit", String(100), nullable=False),
    Column("reason", JsonDocument),
    Column("observed_at", UtcTimestamp),
    Column("observed_since", UtcTimestamp),
    # What the process reports of itself.
    Column("report_state", String(20)),
    # Since when it has reported this state.
    Column("report_since", UtcTimestamp),
    Column("report_reason", JsonDocument),
    Column("progress", BigInteger, nullable=False),
    # When `progress` last grew: healthy means making progress.
    Column("progress_at", UtcTimestamp),
    Column("position", Text, nullable=False),
    Column("lag_ms", BigInteger),
    Column("backlog_bytes", BigInteger),
    Column("memory_bytes", BigInteger),
    # Of one processor; and since the start of the process: failed attempts, and bytes of its real topic.
    Column("cpu_percent", Double),
    Column("retries", BigInteger),
    Column("bus_bytes", BigInteger),
    # What it last reported to need of real topics (protocol.reports.ServiceReport.needs); NULL: nothing yet.
    Column("needs", JsonDocument),
    Column("needs_at", UtcTimestamp),
    # The JSON topic as a publish service last reported it (protocol.reports.FeedReport).
    Column("feed", JsonDocument),
    # Why a collector of OpenTelemetry does not take its traces (protocol.reports.TracesFailure); NULL: it does.
    Column("traces", JsonDocument),
    # What it passed on last, a heartbeat of the source's log or changes (protocol.reports.Beat).
    Column("came_at", UtcTimestamp),
    Column("came_ms", BigInteger),
    Column("went_at", UtcTimestamp),
    Column("went_ms", BigInteger),
    Column("reported_at", UtcTimestamp),
    Column("created_at", UtcTimestamp, nullable=False),
    # Reduced (zcbus.model.reduction): the shown state, since when, and the state of its process for its tables; the
    # process this holds for, and whether it ever reported.
    Column("current_state", String(30), nullable=False, default="stopped", server_default="stopped"),
    Column("current_since", UtcTimestamp, nullable=False),
    Column("worker", String(20), nullable=False, default="at-rest", server_default="at-rest"),
    Column("worker_started_at", UtcTimestamp),
    Column("has_run", Boolean, nullable=False, default=False, server_default="0"),
    unreduced_column(),
    unreduced_index(),
    Index(None, "container_id", "agent_id"),
    Index(None, "agent_id"),
    Index(None, "tenant_id"),
)

service_attempt = Table(
    "service_attempt",
    metadata,
    id_column(),
    Column("service_id", String(ID_LENGTH), ForeignKey("service.id", ondelete="CASCADE"), nullable=False),
    Column("started_at", UtcTimestamp, nullable=False),
    Column("ended_at", UtcTimestamp, nullable=False),
    Column("result", String(100), nullable=False),
    Column("reason", JsonDocument),
    Index(None, "service_id", "started_at", unique=True),
)

agent_request = Table(
    "agent_request",
    metadata,
    id_column(),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id", ondelete="CASCADE"), nullable=False),
    # The agent it is meant for, or that took it; NULL: any of the container.
    Column("agent_id", String(AGENT_ID_LENGTH), ForeignKey("agent.id", ondelete="CASCADE")),
    # The request as JSON, encrypted: it carries passwords.
    Column("sealed", Sealed("agent-request:{key}"), nullable=False),
    # 'waiting', 'handed', 'answered'.
    Column("status", String(20), nullable=False),
    # A job is retried until it succeeds; a question is asked once, by a waiting caller.
    Column("is_job", Boolean, nullable=False),
    Column("subject", String(200), nullable=False),
    Column("timeout_s", Integer, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("available_at", UtcTimestamp, nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Column("attempts", Integer, nullable=False),
    # The agent's progress; `total` 0: not reported.
    Column("done", BigInteger, nullable=False, server_default="0"),
    Column("total", BigInteger, nullable=False, server_default="0"),
    Column("answer", JsonDocument),
    Column("error", JsonDocument),
    Index(None, "container_id", "status", "available_at"),
    Index(None, "expires_at"),
)
