"""Errors of sync tasks."""

from zcbus.control.platform.errors import BusinessError


class TaskUnknownError(BusinessError):
    """The task is not there, or belongs to another tenant. Facts: id."""

    code = "task-unknown"
