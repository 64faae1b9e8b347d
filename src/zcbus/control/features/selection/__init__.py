"""Selection lists for all pages: nodes, customers with their strategies and channels, containers."""

from zcbus.control.features.selection.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
