"""The menu: entries of the console, their order and titles."""

from zcbus.control.features.menu.endpoints import api
from zcbus.control.features.menu.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
