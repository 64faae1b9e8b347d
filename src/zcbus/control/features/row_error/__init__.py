"""Row errors: changes that a target refused, their states, and operators' decisions."""

from zcbus.control.features.row_error.channel_endpoints import api
from zcbus.control.features.row_error.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
