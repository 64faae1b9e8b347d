"""Data sources: kinds, connections, connection tests, and what a database holds."""

from zcbus.control.features.datasource.endpoints import api
from zcbus.control.features.datasource.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
