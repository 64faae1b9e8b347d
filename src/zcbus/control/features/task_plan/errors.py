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


class PlanPausedError(BusinessError):
    """A paused plan runs nothing by itself. Facts: name."""

    code = "plan-paused"


class PlanHasNoTimesError(BusinessError):
    """The plan follows another one, so it has no due times of its own. Facts: name."""

    code = "plan-has-no-times"


class PlanNothingToBackfillError(BusinessError):
    """Each due time of the range was run, or there is none. Facts: name."""

    code = "plan-nothing-to-backfill"


class PlanBackfillTooLongError(BusinessError):
    """The range has too many due times. Facts: most."""

    code = "plan-backfill-too-long"
    field = "lastAt"


class PlanBackfillRunningError(BusinessError):
    """A backfill of the plan runs. Facts: name."""

    code = "plan-backfill-running"


class PlanBackfillOverError(BusinessError):
    """No backfill of the plan runs. Facts: name."""

    code = "plan-backfill-over"
