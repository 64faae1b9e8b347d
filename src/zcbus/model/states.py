"""States of tables and services, as the specification's chapter 4 names them (English, lower case, hyphens).

What a member means is said behind it, once: the tables of the pages in `docs/` are made from that
(`scripts/state_pages.py`). `zcbus.model.reduction` says what a state follows from.
"""

from enum import StrEnum


class SyncState(StrEnum):
    """A subscribed table's state."""

    UNINITIALIZED = "uninitialized"
    """Its service has not looked at it yet."""
    FULL_ALLOWED = "full-allowed"
    """It is to be loaded; it waits for the snapshot or for a free loader."""
    FULL_RUNNING = "full-running"
    """Its rows are being loaded."""
    FULL_FINISHED = "full-finished"
    """It is loaded, and no changes are wanted."""
    INCREMENTAL_ALLOWED = "incremental-allowed"
    """It has its position among the changes; it waits for its service, or catches up with the others of its channel."""
    INCREMENTAL_RUNNING = "incremental-running"
    """Changes are applied as they come."""
    SUSPENDED = "suspended"
    """Somebody holds it; its position is kept."""
    ERROR = "error"
    """Its service ended for good, or it cannot be published and its service has not looked at it yet; somebody must
    mend something."""
    FULL_ERROR = "full-error"
    """Its load stopped; somebody must decide or mend something."""
    FULL_INFO_EXPIRED = "full-info-expired"
    """Retention took rows or changes that it still needed: load it again, or resume over the gap."""
    TABLE_LOCKED = "table-locked"
    """Somebody else holds the target table; it resumes by itself."""
    INCREMENTAL_ERROR = "incremental-error"
    """A change stopped it; somebody must decide or mend something."""


class PublishState(StrEnum):
    """A published table's state."""

    UNINITIALIZED = "uninitialized"
    """Its service has not looked at it yet."""
    ALLOWED_TO_PUBLISH = "allowed-to-publish"
    """A snapshot of it is wanted; it waits for its service."""
    PUBLISHING = "publishing"
    """Its snapshot is being read."""
    INCREMENTAL_RELEASE = "incremental-release"
    """Its changes are published whenever its service works."""
    PUBLISH_FAILED = "publish-failed"
    """It cannot be published, or its service ended for good; somebody must mend something."""
    NO_PRIMARY_KEY = "no-primary-key"
    """Nothing identifies its rows; a key must be chosen."""
    FULL_TOPIC_EXPIRED = "full-topic-expired"
    """Retention took its snapshot before everybody had loaded it."""
    PUBLISH_STOPPED = "publish-stopped"
    """It is not captured until another snapshot is wanted, as asked."""


class ServiceState(StrEnum):
    """A service's state; `model.services` says what leads from one to another. Agents see all but `NORMAL` and
    `SOFTWARE_EXPIRED`, which say more than a process shows."""

    STOPPED = "stopped"
    """It stands still, as asked."""
    STARTING = "starting"
    """Its process begins and has told of no work yet."""
    STARTED = "started"
    """Its process works; whether it makes progress is not known, or something outside is away."""
    STOPPING = "stopping"
    """It is to stand still, and its process has not ended yet."""
    RESTARTING = "restarting"
    """Its process ended and begins again, or is about to."""
    ABNORMAL = "abnormal"
    """It cannot start or cannot go on until somebody changes something."""
    NOT_RUNNING = "not-running"
    """It is to run, and no host of its container has taken it."""
    NORMAL = "normal"
    """It made progress within the last half minute, and nothing stands in its way."""
    SOFTWARE_EXPIRED = "software-expired"
    """It stands still and may not be started: the registration is over. What runs goes on."""


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
    """A sync link's state, reduced from its services and tables."""

    STOPPED = "stopped"
    """Both services stand still, as asked."""
    STARTING = "starting"
    """A service begins or waits for a database, or the tables wait for their services."""
    FULL_RUNNING = "full-running"
    """At least one table is loaded or is to be."""
    INCREMENTAL_RUNNING = "incremental-running"
    """No table is to be loaded, and at least one applies changes as they come."""
    FULL_FINISHED = "full-finished"
    """Everything is loaded, and no changes are wanted."""
    SUSPENDED = "suspended"
    """It is paused, as asked, or all its tables are suspended."""
    STOPPING = "stopping"
    """It is to stand still, and its services do not yet."""
    ERROR = "error"
    """A service cannot run, or no table is left that could."""


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
