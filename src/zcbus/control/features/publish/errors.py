"""Errors of publishing."""

from zcbus.control.platform.errors import BusinessError


class JsonTopicTakenError(BusinessError):
    """Another link writes a JSON topic of that name. Facts: name."""

    code = "json-topic-taken"


class NodeNameTakenError(BusinessError):
    """Facts: name."""

    code = "node-name-taken"
    field = "name"


class NodeOfLinkError(BusinessError):
    """A sync link steers the node. Facts: name, link."""

    code = "node-of-link"


class NodeHasSubscribersError(BusinessError):
    """Facts: name, subscribers."""

    code = "node-has-subscribers"


class TablesComputedFromError(BusinessError):
    """Computations read tables that are to be unpublished. Facts: tables, computations."""

    code = "tables-computed-from"


class NodeActionRefusedError(BusinessError):
    """Facts: name, action, state."""

    code = "node-action-refused"


class DataSourceMissingError(BusinessError):
    """A node reads a database: its connection comes first. No facts."""

    code = "data-source-missing"
    wire_code = 61100
    field = "connection"


class NodePlaceFixedError(BusinessError):
    """A node keeps its database: positions of another one mean nothing. Facts: option."""

    code = "node-place-fixed"


class KeyColumnUnknownError(BusinessError):
    """Facts: table, columns."""

    code = "key-column-unknown"
    field = "key"


class AppendOnlyHasKeyError(BusinessError):
    """A table that has a key is replicated by it. Facts: table, columns."""

    code = "append-only-has-key"
    field = "appendOnly"


class TableReceivedError(BusinessError):
    """Subscribers or computations receive a table by its key. Facts: table."""

    code = "table-has-subscribers"
