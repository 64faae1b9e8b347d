"""The monitoring screen: what a wall shows of everything that the viewer may see."""

from zcbus.control.features.overview_monitor.endpoints import api
from zcbus.control.features.overview_monitor.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
