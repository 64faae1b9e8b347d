"""Errors of saved SQL."""

from zcbus.control.platform.errors import BusinessError


class SqlDescriptionTakenError(BusinessError):
    """Facts: description."""

    code = "sql-description-taken"
    field = "description"


class SqlNotOfferedError(BusinessError):
    """No statements can be run on that kind of database. Facts: kind."""

    code = "sql-not-offered"
