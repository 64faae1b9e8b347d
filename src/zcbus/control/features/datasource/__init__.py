"""Data sources: kinds, connections, connection tests, and contents of databases."""

from zcbus.control.features.datasource.endpoints import api
from zcbus.control.features.datasource.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
