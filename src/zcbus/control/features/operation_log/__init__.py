"""Reading the operation log: who did what, from where, with what result."""

from zcbus.control.features.operation_log.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
