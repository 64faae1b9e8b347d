"""States of tables and services, as the specification's chapter 4 names them (English, lower case, hyphens)."""

from enum import StrEnum


class SyncState(StrEnum):
    """A subscribed table's state."""

    UNINITIALIZED = "uninitialized"
    FULL_ALLOWED = "full-allowed"
    FULL_RUNNING = "full-running"
    FULL_FINISHED = "full-finished"
    INCREMENTAL_ALLOWED = "incremental-allowed"
    INCREMENTAL_RUNNING = "incremental-running"
    SUSPENDED = "suspended"
    ERROR = "error"
    FULL_ERROR = "full-error"
    FULL_INFO_EXPIRED = "full-info-expired"
    TABLE_LOCKED = "table-locked"
    INCREMENTAL_ERROR = "incremental-error"


class PublishState(StrEnum):
    """A published table's state."""

    UNINITIALIZED = "uninitialized"
    ALLOWED_TO_PUBLISH = "allowed-to-publish"
    PUBLISHING = "publishing"
    INCREMENTAL_RELEASE = "incremental-release"
    PUBLISH_FAILED = "publish-failed"
    NO_PRIMARY_KEY = "no-primary-key"
    FULL_TOPIC_EXPIRED = "full-topic-expired"
    PUBLISH_STOPPED = "publish-stopped"


class ServiceState(StrEnum):
    """A service's state; `model.services` says what leads from one to another. Agents see all but the last two, which
    say more than a process shows."""

    STOPPED = "stopped"
    STARTING = "starting"
    STARTED = "started"
    STOPPING = "stopping"
    RESTARTING = "restarting"
    ABNORMAL = "abnormal"
    NOT_RUNNING = "not-running"
    NORMAL = "normal"
    SOFTWARE_EXPIRED = "software-expired"


class ChannelState(StrEnum):
    """What a channel is besides what its service is."""

    NOT_ENABLED = "not-enabled"
    """It stands still and was never started."""


class DesiredState(StrEnum):
    """What somebody asked a service or a table to be."""

    RUNNING = "running"
    STOPPED = "stopped"
    SUSPENDED = "suspended"


class LinkState(StrEnum):
    """A sync link's state, derived from its services and tables."""

    STOPPED = "stopped"
    STARTING = "starting"
    FULL_RUNNING = "full-running"
    INCREMENTAL_RUNNING = "incremental-running"
    FULL_FINISHED = "full-finished"
    SUSPENDED = "suspended"
    STOPPING = "stopping"
    ERROR = "error"


ERROR_STATES = frozenset(
    {SyncState.ERROR, SyncState.FULL_ERROR, SyncState.INCREMENTAL_ERROR, SyncState.FULL_INFO_EXPIRED}
)


class LoadMode(StrEnum):
    """What a subscription moves."""

    FULL = "full"
    INCREMENTAL = "incremental"
    BOTH = "full+incremental"


class LoadType(StrEnum):
    """How rows get into a target."""

    BULK = "C"
    """By the database's own bulk path: COPY, LOAD DATA, temporary tables."""
    STATEMENTS = "J"
    """By batches of ordinary statements, which need no rights and no settings but those to change rows."""


class CleanMode(StrEnum):
    """What happens to the target table before a full load."""

    NONE = "none"
    TRUNCATE = "truncate"
    """Rebuild indexes and key, then truncate."""
    DROP = "drop"
    """Rebuild the table."""
    ONLY_TRUNCATE = "only-truncate"
    """Truncate and nothing else."""


class IndexMode(StrEnum):
    """Which indexes target tables get that are made for a link."""

    ALL = "all"
    """The source's keys, and after the load its other indexes."""
    KEYS = "keys"
    """The source's keys only."""


class DdlMode(StrEnum):
    """What a change of the source table's structure does."""

    FOLLOW = "follow"
    IGNORE = "ignore"
    STOP = "stop"
