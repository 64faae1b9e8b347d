"""What the console shows of the platform itself: its version and how it is deployed."""

from zcbus.control.features.common.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
