"""Imports of uploaded files as data for a table of a stored database."""

from zcbus.control.features.table_import.endpoints import api
from zcbus.control.features.table_import.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
