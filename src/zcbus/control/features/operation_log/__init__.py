"""Reading the operation log: who did what, from where, with what result."""

from zcbus.control.features.operation_log.endpoints import api
from zcbus.control.features.operation_log.messages import EN, ZH
from zcbus.control.features.operation_log.retention import remove_old
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("operation-log", 3600.0, remove_old),))
