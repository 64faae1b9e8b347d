"""Errors of computations."""

from zcbus.control.platform.errors import BusinessError


class ComputationNameTakenError(BusinessError):
    """Facts: name."""

    code = "computation-name-taken"
    field = "name"


class ComputationTargetTakenError(BusinessError):
    """Facts: table, name."""

    code = "computation-target-taken"
    field = "targetTable"


class ComputationRefusedError(BusinessError):
    """It cannot be computed so. Facts: reason (for people)."""

    code = "computation-refused"
    field = "sql"


class ComputationInputsApartError(BusinessError):
    """No facts."""

    code = "computation-inputs-apart"
    field = "inputs"


class ComputationInputKeylessError(BusinessError):
    """It is published append-only. Facts: table."""

    code = "computation-input-keyless"
    field = "inputs"


class ComputationInputTwiceError(BusinessError):
    """Facts: name."""

    code = "computation-input-twice"
    field = "inputs"


class ComputationDatabaseError(BusinessError):
    """Facts: name."""

    code = "computation-database-of-another"
    field = "databaseId"


class ComputationActionRefusedError(BusinessError):
    """Facts: name."""

    code = "computation-action-refused"
