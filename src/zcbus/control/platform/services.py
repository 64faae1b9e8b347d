"""Parts of a control plane process. Built once in `control.bootstrap`; reached through `Call.services`."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from prometheus_client import CollectorRegistry

from zcbus.control.platform.anonymous_quota import AnonymousQuota
from zcbus.control.platform.authority import Authority
from zcbus.control.platform.caches import Cache
from zcbus.control.platform.editions import Editions
from zcbus.control.platform.messages import Catalogue
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.engine import Database
from zcbus.control.store.metrics.store import MetricStore
from zcbus.kit.clock import Clock
from zcbus.kit.ids import new_id
from zcbus.kit.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """Shared by all requests; every member is safe for many threads."""

    settings: Settings
    database: Database
    metric_store: MetricStore
    secrets: SecretBox
    catalogue: Catalogue
    clock: Clock
    metrics: CollectorRegistry
    # SHA-256 of the data folder's own token, in hexadecimal.
    local_token_hash: str
    authority: Authority
    # Since when agents can contact this process.
    started_at: datetime
    # Orders that agents may hold.
    editions: Editions = field(default_factory=Editions)
    # Records that callers without a session made this process store.
    anonymous_quota: AnonymousQuota = field(default_factory=AnonymousQuota)
    # Caches that the features declare.
    caches: Sequence[Cache] = ()

    # Names this process among the control planes over its store.
    process_id: str = field(default_factory=new_id)

    @property
    def instance(self) -> str:
        """Names this control plane by its host and data folder, the same after a restart."""
        return sha256(f"{socket.gethostname()}\n{self.settings.data_dir}".encode()).hexdigest()

    def close(self) -> None:
        """Return the connections to both stores, and release the waiters for change events."""
        self.database.close()
        self.metric_store.close()
