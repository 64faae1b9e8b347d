"""States of tables and services, by the names of the specification's chapter 4.

The docstring of a member is its meaning: `scripts/check_states.py` generates the tables of the pages in `docs/` from
it. `zcbus.model.reduction` derives the states.
"""

from enum import StrEnum


class SyncState(StrEnum):
    """States of a subscribed table."""

    UNINITIALIZED = "uninitialized"
    """Its service has not read its state yet."""
    FULL_ALLOWED = "full-allowed"
    """Waits for the snapshot or a free loader."""
    FULL_RUNNING = "full-running"
    """Its rows are being loaded."""
    FULL_FINISHED = "full-finished"
    """Loaded; changes are not replicated."""
    INCREMENTAL_ALLOWED = "incremental-allowed"
    """Its position among the changes is known; it waits for its service, or catches up with its channel."""
    INCREMENTAL_RUNNING = "incremental-running"
    """Changes are applied as they arrive."""
    SUSPENDED = "suspended"
    """Suspended by a user; its position is kept."""
    ERROR = "error"
    """Its service ended for good, or it cannot be published and its service has not read it yet.

    A person must fix the cause.
    """
    FULL_ERROR = "full-error"
    """Its load stopped; a person must decide or fix the cause."""
    FULL_INFO_EXPIRED = "full-info-expired"
    """Retention deleted rows or changes that it needs: load it again, or resume after the gap."""
    TABLE_LOCKED = "table-locked"
    """Another session has locked the target table; it resumes by itself."""
    INCREMENTAL_ERROR = "incremental-error"
    """A change stopped it; a person must decide or fix the cause."""


class PublishState(StrEnum):
    """States of a published table."""

    UNINITIALIZED = "uninitialized"
    """Its service has not read its state yet."""
    ALLOWED_TO_PUBLISH = "allowed-to-publish"
    """A snapshot is requested; it waits for its service."""
    PUBLISHING = "publishing"
    """Its snapshot is being read."""
    INCREMENTAL_RELEASE = "incremental-release"
    """Its changes are published while its service works."""
    PUBLISH_FAILED = "publish-failed"
    """It cannot be published, or its service ended for good. A person must fix the cause."""
    NO_PRIMARY_KEY = "no-primary-key"
    """It has no key; one must be chosen."""
    FULL_TOPIC_EXPIRED = "full-topic-expired"
    """Retention deleted its snapshot before all subscribers had loaded it."""
    PUBLISH_STOPPED = "publish-stopped"
    """Not captured until another snapshot is requested."""


class ServiceState(StrEnum):
    """States of a service; `model.services` has the transitions.

    Agents report all but `NORMAL` and `SOFTWARE_EXPIRED`, which a process alone does not show.
    """

    STOPPED = "stopped"
    """Stopped on request."""
    STARTING = "starting"
    """Its process starts and has not reported any work yet."""
    STARTED = "started"
    """Its process works; its progress is unknown, or something external is unavailable."""
    STOPPING = "stopping"
    """A stop is requested; its process has not ended yet."""
    RESTARTING = "restarting"
    """Its process ended and restarts now or soon."""
    ABNORMAL = "abnormal"
    """It cannot start or continue until a person changes something."""
    NOT_RUNNING = "not-running"
    """It should run, but no host of its container has taken it."""
    NORMAL = "normal"
    """It made progress within the last half minute, without obstacles."""
    SOFTWARE_EXPIRED = "software-expired"
    """Stopped, and not startable: the registration has expired. Running services continue."""


class ChannelState(StrEnum):
    """States of a channel in addition to those of its service."""

    NOT_ENABLED = "not-enabled"
    """Stopped, and never started."""


class DesiredState(StrEnum):
    """Desired state of a service or table."""

    RUNNING = "running"
    STOPPED = "stopped"
    SUSPENDED = "suspended"


class LinkState(StrEnum):
    """States of a sync link, derived from its services and tables."""

    STOPPED = "stopped"
    """Both services are stopped on request."""
    STARTING = "starting"
    """A service starts or waits for a database, or the tables wait for their services."""
    FULL_RUNNING = "full-running"
    """At least one table is loading or waits for its load."""
    INCREMENTAL_RUNNING = "incremental-running"
    """No table needs a load, and at least one applies changes as they arrive."""
    FULL_FINISHED = "full-finished"
    """All tables are loaded; changes are not replicated."""
    SUSPENDED = "suspended"
    """Paused on request, or all its tables are suspended."""
    STOPPING = "stopping"
    """A stop is requested; its services have not stopped yet."""
    ERROR = "error"
    """A service cannot run, or no working table is left."""


ERROR_STATES = frozenset(
    {SyncState.ERROR, SyncState.FULL_ERROR, SyncState.INCREMENTAL_ERROR, SyncState.FULL_INFO_EXPIRED}
)


class LoadMode(StrEnum):
    """Data that a subscription replicates."""

    FULL = "full"
    INCREMENTAL = "incremental"
    BOTH = "full+incremental"


class LoadType(StrEnum):
    """How rows are written to a target."""

    BULK = "C"
    """The database's bulk path: COPY, LOAD DATA, temporary tables."""
    STATEMENTS = "J"
    """Batches of ordinary statements, which only need the privileges to change rows."""


class CleanMode(StrEnum):
    """Preparation of the target table before a full load."""

    NONE = "none"
    TRUNCATE = "truncate"
    """Rebuild indexes and key, then truncate."""
    DROP = "drop"
    """Rebuild the table."""
    ONLY_TRUNCATE = "only-truncate"
    """Truncate only."""


class IndexMode(StrEnum):
    """Indexes of target tables that are created for a link."""

    ALL = "all"
    """The source's keys, and its other indexes after the load."""
    KEYS = "keys"
    """The source's keys only."""


class DdlMode(StrEnum):
    """Effect of a schema change of the source table."""

    FOLLOW = "follow"
    IGNORE = "ignore"
    STOP = "stop"
