"""Calls of customers, their databases, masters and channels. A master is called `control` in paths, as in the
specification's."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.subscribe import customers, listing, lookup, masters
from zcbus.control.features.subscribe.client_types import authorise_customers
from zcbus.control.features.subscribe.schemas import (
    CHANNELS,
    CUSTOMERS,
    DATABASES,
    MASTERS,
    ChannelChange,
    ChannelChoice,
    ChannelDeletion,
    ChannelInput,
    ChannelPageRequest,
    ChannelRecord,
    DatabaseChange,
    DatabaseDeletion,
    DatabaseInput,
    DatabasePageRequest,
    DatabaseRecord,
    MasterChange,
    MasterDeletion,
    MasterInput,
    MasterPageRequest,
    MasterRecord,
    SubscribeAction,
    SubscriberChange,
    SubscriberChoice,
    SubscriberDeletion,
    SubscriberInput,
    SubscriberPageRequest,
    SubscriberRecord,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

api = Api("subscribe")

VIEW = authorise_customers(Operation.VIEW)
CREATE = authorise_customers(Operation.CREATE)
EDIT = authorise_customers(Operation.EDIT)
OPERATE = authorise_customers(Operation.OPERATE)
DELETE = authorise_customers(Operation.DELETE)


@api.read("/api/zcbus/subscribe/customer/page", VIEW, lists=CUSTOMERS)
def page_customers(call: Call, body: SubscriberPageRequest) -> Page[SubscriberRecord]:
    """Customers with their databases, masters, channels and tables."""
    return answer_page(call, body, listing.customer_listing(call.principal, body))


@api.read("/api/zcbus/subscribe/customer/get", VIEW)
def get_customer(call: Call, body: SubscriberChoice) -> SubscriberRecord:
    """One customer."""
    return listing.customer_record(lookup.find_customer(call.connection, call.principal, body.customer_id))


@api.change("/api/zcbus/subscribe/customer/add", CREATE)
def add_customer(call: Call, body: SubscriberInput) -> str:
    """Make a customer with its first database; answers its id."""
    call.audit.subject, call.audit.after = body.name, _plain(body)
    return customers.add(call.connection, call.services, call.principal, body)


@api.change("/api/zcbus/subscribe/customer/edit", EDIT)
def edit_customer(call: Call, body: SubscriberChange) -> None:
    """Rename a customer."""
    before = customers.change(call.connection, call.principal, body)
    call.audit.subject, call.audit.before, call.audit.after = before.name, {"name": before.name}, {"name": body.name}


@api.change("/api/zcbus/subscribe/customer/delete", DELETE)
def delete_customer(call: Call, body: SubscriberDeletion) -> str:
    """Forget a customer without masters, with its databases; nothing in them is touched. Answers its name. Codes 40104
    and 40105 speak of the captcha, here as below."""
    confirm_deletion(call, body)
    return _note_deletion(call, customers.delete(call.connection, call.services, call.principal, body.customer_id))


@api.read("/api/zcbus/subscribe/database/page", VIEW, lists=DATABASES)
def page_databases(call: Call, body: DatabasePageRequest) -> Page[DatabaseRecord]:
    """Target databases of customers."""
    return answer_page(call, body, listing.database_listing(call.principal, body))


@api.change("/api/zcbus/subscribe/database/add", CREATE)
def add_database(call: Call, body: DatabaseInput) -> str:
    """Add a database to a customer; answers its id."""
    call.audit.subject, call.audit.after = body.name, _plain(body)
    return customers.add_database(call.connection, call.services, call.principal, body)


@api.change("/api/zcbus/subscribe/database/edit", EDIT)
def edit_database(call: Call, body: DatabaseChange) -> list[str]:
    """Change a database's name, load type and connection; answers the names of changed options."""
    before = lookup.find_database(call.connection, call.principal, body.database_id)
    call.audit.subject = before.name
    call.audit.before, call.audit.after = _database_before(before), _plain(body)
    return list(customers.change_database(call.connection, call.services, call.principal, body))


@api.change("/api/zcbus/subscribe/database/delete", DELETE)
def delete_database(call: Call, body: DatabaseDeletion) -> str:
    """Forget a database that no master writes to. Answers its name."""
    confirm_deletion(call, body)
    return _note_deletion(call, customers.delete_database(call.connection, call.principal, body.database_id))


@api.read("/api/zcbus/subscribe/control/page", VIEW, lists=MASTERS)
def page_masters(call: Call, body: MasterPageRequest) -> Page[MasterRecord]:
    """Masters with their node, target, channels and tables."""
    return answer_page(call, body, listing.master_listing(call.principal, body))


@api.change("/api/zcbus/subscribe/control/add", CREATE)
def add_master(call: Call, body: MasterInput) -> str:
    """Make a master with its channels on a publish node; answers its id. Code 60100: the node has its limit."""
    call.audit.subject, call.audit.after = body.name, _plain(body)
    return masters.add(call.connection, call.services, call.principal, body)


@api.change("/api/zcbus/subscribe/control/edit", EDIT)
def edit_master(call: Call, body: MasterChange) -> None:
    """Change a master's name and how it writes rows, at once, and the defaults of further tables."""
    before = masters.change(call.connection, call.principal, body)
    call.audit.subject = before.name
    call.audit.before, call.audit.after = (
        {"name": before.name, "loadType": before.load_type, **before.settings},
        _plain(body),
    )


@api.change("/api/zcbus/subscribe/control/delete", DELETE)
def delete_master(call: Call, body: MasterDeletion) -> str:
    """Forget a master with its channels and subscribed tables; the target's data stays. Answers its name."""
    confirm_deletion(call, body)
    return _note_deletion(call, masters.delete(call.connection, call.services, call.principal, body.control_id))


@api.read("/api/zcbus/subscribe/channel/page", VIEW, lists=CHANNELS)
def page_channels(call: Call, body: ChannelPageRequest) -> Page[ChannelRecord]:
    """Channels with their service's state and their tables."""
    texts, now = ReasonTexts.of(call), call.services.clock.now()
    return answer_page(call, body, listing.channel_listing(call.principal, body, texts, now))


@api.change("/api/zcbus/subscribe/channel/add", CREATE)
def add_channel(call: Call, body: ChannelInput) -> str:
    """Add a channel to a master; answers its id. Code 60101: the master has one of that name."""
    call.audit.subject, call.audit.after = body.name, _plain(body)
    return masters.add_channel(call.connection, call.services, call.principal, body)


@api.change("/api/zcbus/subscribe/channel/edit", EDIT)
def edit_channel(call: Call, body: ChannelChange) -> None:
    """Change a channel's name and its numbers of threads and appliers."""
    before = masters.change_channel(call.connection, call.principal, body)
    call.audit.subject = before.name
    known = {"name": before.name, "threads": before.load_threads, "lanes": before.apply_lanes}
    call.audit.before, call.audit.after = known, _plain(body)


@api.change("/api/zcbus/subscribe/channel/start", OPERATE)
def start_channel(call: Call, body: ChannelChoice) -> None:
    """Start a channel; one that failed starts again."""
    _act(call, body, SubscribeAction.START)


@api.change("/api/zcbus/subscribe/channel/stop", OPERATE)
def stop_channel(call: Call, body: ChannelChoice) -> None:
    """Stop applying over a channel; positions are kept."""
    _act(call, body, SubscribeAction.STOP)


@api.change("/api/zcbus/subscribe/channel/delete", DELETE)
def delete_channel(call: Call, body: ChannelDeletion) -> str:
    """Forget a channel without tables. Answers its name."""
    confirm_deletion(call, body)
    return _note_deletion(call, masters.delete_channel(call.connection, call.services, call.principal, body.channel_id))


def _act(call: Call, choice: ChannelChoice, action: SubscribeAction) -> None:
    before = masters.act_on_channel(call.connection, call.principal, choice.channel_id, action)
    call.audit.subject = before.name
    call.audit.before, call.audit.after = {"state": before.current_state}, {"action": action.value}


def _database_before(before: Row[Any]) -> dict[str, Any]:
    return {"name": before.name, "loadType": before.load_type, "connection": before.options}


def _note_deletion(call: Call, before: Row[Any]) -> str:
    call.audit.subject, call.audit.before = before.name, {"name": before.name}
    return str(before.name)


def _plain(body: Any) -> Any:
    return body.model_dump(mode="json")
