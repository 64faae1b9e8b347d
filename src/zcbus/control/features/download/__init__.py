"""Downloads: what this installation has of its own version, for hosts and users."""

from zcbus.control.features.download.endpoints import api
from zcbus.control.features.download.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
