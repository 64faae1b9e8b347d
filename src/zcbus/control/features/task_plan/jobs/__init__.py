"""Jobs of plans: each type with its rights, its start, and its completion check."""

from collections.abc import Mapping

from zcbus.control.features.task_plan.job_input import JobType
from zcbus.control.features.task_plan.jobs.backup import BACKUP
from zcbus.control.features.task_plan.jobs.base import Job
from zcbus.control.features.task_plan.jobs.cleaning import CLEANING
from zcbus.control.features.task_plan.jobs.comparison import COMPARISON
from zcbus.control.features.task_plan.jobs.distribution import DISTRIBUTION
from zcbus.control.features.task_plan.jobs.link import LINK
from zcbus.control.features.task_plan.jobs.sql import SQL
from zcbus.control.features.task_plan.jobs.tables import TABLES

JOBS: Mapping[JobType, Job] = {
    JobType.START: LINK,
    JobType.PAUSE: LINK,
    JobType.STOP: LINK,
    JobType.RELOAD: TABLES,
    JobType.SUSPEND: TABLES,
    JobType.RESUME: TABLES,
    JobType.COMPARE: COMPARISON,
    JobType.CLEAN: CLEANING,
    JobType.SQL: SQL,
    JobType.EXPORT: SQL,
    JobType.BACKUP: BACKUP,
    JobType.DISTRIBUTE: DISTRIBUTION,
}
