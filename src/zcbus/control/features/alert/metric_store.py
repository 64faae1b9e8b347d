"""A server that metrics should be stored on and does not take them."""

from collections.abc import Iterator
from datetime import UTC, datetime

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.metric.forwarding import server_state
from zcbus.control.platform.principal import DEFAULT_TENANT
from zcbus.control.platform.services import Services

_SUBJECT = "metric-store"
# A server that is started again is not worth an alert.
_FAILS_LONG = 300.0
# Refused metrics are no state: after so long they are over.
_REFUSAL_COUNTS = 3600.0


def metrics_in_trouble(services: Services) -> Iterator[Condition]:
    """By the last attempts of all control planes. It concerns the whole platform, so the tenant of the system."""
    state = server_state(services)
    if state is None:
        return
    now = services.clock.now().timestamp()
    since = state.failing_since
    if since is None or now - since < _FAILS_LONG:
        since = state.refused_at if state.refused_at is not None and now - state.refused_at < _REFUSAL_COUNTS else None
    if since is not None:
        at = datetime.fromtimestamp(since, UTC).isoformat(sep=" ", timespec="minutes")
        facts = {"server": state.server, "detail": state.detail, "at": at}
        yield Condition(Kind.METRIC_STORE, _SUBJECT, DEFAULT_TENANT, facts)
