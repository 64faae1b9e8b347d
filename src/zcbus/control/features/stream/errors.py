"""Errors of stream queries."""

from zcbus.control.platform.errors import BusinessError


class StreamQueryNameTakenError(BusinessError):
    """Facts: name."""

    code = "computation-name-taken"
    field = "name"


class StreamQueryTargetTakenError(BusinessError):
    """Facts: table, name."""

    code = "computation-target-taken"
    field = "targetTable"


class StreamQueryRefusedError(BusinessError):
    """It cannot be computed so. Facts: reason (for people)."""

    code = "computation-refused"
    field = "sql"


class StreamQueryInputsApartError(BusinessError):
    """No facts."""

    code = "computation-inputs-apart"
    field = "inputs"


class StreamQueryInputKeylessError(BusinessError):
    """It is published append-only. Facts: table."""

    code = "computation-input-keyless"
    field = "inputs"


class StreamQueryInputTwiceError(BusinessError):
    """Facts: name."""

    code = "computation-input-twice"
    field = "inputs"


class StreamQueryDatabaseError(BusinessError):
    """Facts: name."""

    code = "computation-database-of-another"
    field = "databaseId"


class StreamQueryActionRefusedError(BusinessError):
    """Facts: name."""

    code = "computation-action-refused"
