"""Data services: API groups, APIs with versions, apps that may call them, and the log of calls."""

from zcbus.control.features.data_service.app_endpoints import api
from zcbus.control.features.data_service.log import remove_old
from zcbus.control.features.data_service.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("api-log", 3600.0, remove_old),))
