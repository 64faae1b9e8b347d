"""The menu: what the console shows, in which order, under which titles."""

from zcbus.control.features.menu.endpoints import api
from zcbus.control.features.menu.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
