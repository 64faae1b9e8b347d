"""Events for open pages: what kind of thing changed, so that they ask again at once and seldom for nothing."""

from zcbus.control.features.live import feed
from zcbus.control.features.live.endpoints import api
from zcbus.control.features.live.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feed.declare(api)

feature = Feature(api, ZH, EN)
