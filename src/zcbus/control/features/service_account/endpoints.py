"""Calls of service accounts."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.parameter.service import api_token_days
from zcbus.control.features.role import offer as roles
from zcbus.control.features.role.schemas import Offer
from zcbus.control.features.service_account import service
from zcbus.control.features.service_account.schemas import (
    MAX_GRACE_HOURS,
    SERVICE_ACCOUNTS,
    IssuedToken,
    NewServiceAccount,
    Rotation,
    ServiceAccountEdit,
    ServiceAccountPageRequest,
    ServiceAccountRecord,
    ServiceAccountRevocation,
    TokenTerms,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("service-account")

_VIEW = authorise(service.MENU_KEY, Operation.VIEW)


@api.read("/api/zcbus/account/service-account/page", _VIEW, lists=SERVICE_ACCOUNTS)
def page(call: Call, body: ServiceAccountPageRequest) -> Page[ServiceAccountRecord]:
    """Service accounts by page, without their tokens."""
    return answer_page(call, body, service.listing(call, body))


@api.read("/api/zcbus/account/service-account/offer", _VIEW)
def offer_permissions(call: Call, body: Empty) -> Offer:
    """Permissions that the caller can put into a scope: own ones, and operations behind every entry, as far as they are
    the owner's at each call."""
    own = roles.offer(call.connection, call.principal, call.language)
    return Offer(entries=own.entries, everywhere=list(Operation), everything=False)


@api.read("/api/zcbus/account/service-account/terms", _VIEW)
def get_terms(call: Call, body: Empty) -> TokenTerms:
    """Limits of tokens."""
    return TokenTerms(longest_days=api_token_days(call.connection), longest_grace_hours=MAX_GRACE_HOURS)


@api.change("/api/zcbus/account/service-account/add", authorise(service.MENU_KEY, Operation.CREATE))
def add(call: Call, body: NewServiceAccount) -> IssuedToken:
    """Make a service account of the caller's. The answer has its token, which is shown this once."""
    call.audit.subject = body.name
    return service.add(call, body)


@api.change("/api/zcbus/account/service-account/edit", authorise(service.MENU_KEY, Operation.EDIT))
def edit(call: Call, body: ServiceAccountEdit) -> None:
    """Change description and scope of an own account, effective from its next call on."""
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, service.plain(row)
    service.edit(call, row, body)


@api.change("/api/zcbus/account/service-account/rotate", authorise(service.MENU_KEY, Operation.EDIT))
def rotate(call: Call, body: Rotation) -> IssuedToken:
    """A new token of an own account, shown this once. The present one stays good for a grace period."""
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, service.plain(row)
    return service.rotate(call, row, body)


@api.change("/api/zcbus/account/service-account/revoke", authorise(service.MENU_KEY, Operation.DELETE))
def revoke(call: Call, body: ServiceAccountRevocation) -> None:
    """End an account with its tokens at once. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, service.plain(row), None
    service.revoke(call.connection, row.id, call.services.clock.now())
