"""Task plans: scheduled jobs on links and tables, and their results."""

from zcbus.control.features.task_plan.backup_maker import make_backups
from zcbus.control.features.task_plan.endpoints import api
from zcbus.control.features.task_plan.messages import EN, ZH
from zcbus.control.features.task_plan.policy_deliverer import deliver_policies
from zcbus.control.features.task_plan.runner import remove_old, tick
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(
        Periodic("task-plan", 1.0, tick),
        Periodic("task-plan-backup", 2.0, make_backups),
        Periodic("task-plan-policies", 2.0, deliver_policies),
        Periodic("task-plan-clean-up", 3600.0, remove_old),
    ),
)
