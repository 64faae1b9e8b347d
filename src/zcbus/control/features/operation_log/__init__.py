"""The operation log as it is read: who did what, from where, and what came of it."""

from zcbus.control.features.operation_log.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
