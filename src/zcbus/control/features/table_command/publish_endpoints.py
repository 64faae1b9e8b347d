"""Orders from the pages of publish nodes."""

from zcbus.control.features.publish.listing import select_tables
from zcbus.control.features.publish.nodes import own_node
from zcbus.control.features.publish.schemas import PublishedChoice
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.table_command.parameters import OfNode
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("publish")

_OPERATE = authorise("publish", Operation.OPERATE)
_EDIT = authorise("publish", Operation.EDIT)


@api.change("/api/zcbus/publish/table/publish-again", _OPERATE)
def publish_again(call: Call, body: PublishedChoice) -> list[TableResult]:
    """Publish the full data of tables again. Answers a result per table."""
    return _order(call, body, TableVerb.PUBLISH_AGAIN)


@api.change("/api/zcbus/publish/table/retry", _OPERATE)
def retry_tables(call: Call, body: PublishedChoice) -> list[TableResult]:
    """Retry tables that could not be published. Answers a result per table."""
    return _order(call, body, TableVerb.RETRY)


@api.change("/api/zcbus/publish/table/withdraw", _EDIT)
def withdraw_tables(call: Call, body: PublishedChoice) -> list[TableResult]:
    """Stop publishing tables without subscribers. Answers a result per table."""
    return _order(call, body, TableVerb.WITHDRAW)


@api.change("/api/zcbus/publish/table/stop", _OPERATE)
def stop_tables(call: Call, body: PublishedChoice) -> list[TableResult]:
    """Stop capturing tables. Subscribers lose their positions, and load again or accept the gap: either, or publishing
    again, resumes capture. Answers a result per table."""
    return _order(call, body, TableVerb.STOP)


def _order(call: Call, choice: PublishedChoice, verb: TableVerb) -> list[TableResult]:
    node = own_node(call.connection, call.principal, choice.node_master)
    chosen = Chosen.by_id(select_tables(call.connection, node.id, choice.tables), choice.tables)
    return order(call, call.connection, verb, chosen, OfNode(node), subject=node.name)
