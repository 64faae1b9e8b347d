"""Errors of task plans."""

from zcbus.control.platform.errors import BusinessError


class PlanNameTakenError(BusinessError):
    """Facts: name."""

    code = "plan-name-taken"
    field = "name"


class PlanNeverDueError(BusinessError):
    """The moment to run once is over."""

    code = "plan-never-due"
    field = "onceAt"


class PlanBusyError(BusinessError):
    """A run is open, and the plan's rule queues no other. Facts: name."""

    code = "plan-busy"


class PlanOverError(BusinessError):
    """The plan's time is over: it needs another one. Facts: name."""

    code = "plan-over"


class PlanOwnerGoneError(BusinessError):
    """The account in whose name the plan runs is gone or disabled."""

    code = "plan-owner-gone"


class PlanCircleError(BusinessError):
    """The plan would follow itself, by way of others. Facts: name."""

    code = "plan-circle"
    field = "after"


class PlanFollowedError(BusinessError):
    """Other plans follow it. Facts: name, plans."""

    code = "plan-followed"


class PlanTablesUnknownError(BusinessError):
    """The link has no such tables. Facts: tables."""

    code = "plan-tables-unknown"
    field = "job.tables"


class PlanSqlChangedError(BusinessError):
    """The saved SQL was changed after the plan was saved, by a user who is not its owner. Facts: name, user."""

    code = "plan-sql-changed"
