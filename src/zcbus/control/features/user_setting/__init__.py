"""A user's settings of the console, such as a table's columns: the same in every browser."""

from zcbus.control.features.user_setting.endpoints import api
from zcbus.control.features.user_setting.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
