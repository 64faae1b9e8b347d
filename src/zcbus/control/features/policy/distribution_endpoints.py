"""Calls of distribution: preview, delivery, roll back, revocation, and customers' versions."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.policy import distribution
from zcbus.control.features.policy.distribution_schemas import (
    DELIVERIES,
    DeliveriesChoice,
    DeliveryResult,
    DistributionRequest,
    PolicyDeliveryPageRequest,
    PolicyDeliveryRecord,
    PreviewRecord,
    Revocation,
)
from zcbus.control.features.policy.endpoints import DISTRIBUTE_KEY
from zcbus.control.features.policy.endpoints import api as api
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation

_OPERATE = authorise(DISTRIBUTE_KEY, Operation.OPERATE)
_BASE = "/api/zcbus/policy/distribute"


@api.read(f"{_BASE}/page", authorise(DISTRIBUTE_KEY, Operation.VIEW), lists=DELIVERIES)
def page_deliveries(call: Call, body: PolicyDeliveryPageRequest) -> Page[PolicyDeliveryRecord]:
    """Page the versions of customers, and the states of their tables."""
    return distribution.page(call, body)


@api.read(f"{_BASE}/preview", _OPERATE, unit=Unit.OWN, followed=True)
def preview_distribution(call: Call, body: DistributionRequest) -> list[PreviewRecord]:
    """Preview the changes of a version at customers, with the findings of the pre-check. Nothing is changed."""
    return distribution.preview(call, body)


@api.change(f"{_BASE}/apply", _OPERATE, unit=Unit.OWN, followed=True)
def distribute_policy(call: Call, body: DistributionRequest) -> list[DeliveryResult]:
    """Give a version to customers, to new ones and as an upgrade. The caller needs the rights to create, edit and
    delete subscriptions. A customer with an error in its pre-check stays unchanged; the others of its wave continue.
    Where waves are named, the call waits until the tables of each are loaded, before the next begins."""
    return distribution.distribute(call, body)


@api.change(f"{_BASE}/rollback", _OPERATE, unit=Unit.OWN, followed=True)
def roll_back_deliveries(call: Call, body: DeliveriesChoice) -> list[DeliveryResult]:
    """Restore the previous versions of customers, with the same checks."""
    return distribution.roll_back_all(call, body.deliveries)


@api.change(f"{_BASE}/revoke", authorise(DISTRIBUTE_KEY, Operation.DELETE))
def revoke_deliveries(call: Call, body: Revocation) -> None:
    """Take policies from customers: their tables are unbound, or stay as the customers' own. Codes 40104 and 40105
    speak of the captcha."""
    confirm_deletion(call, body)
    distribution.revoke_all(call, body.deliveries, keep_tables=body.keep_tables)
