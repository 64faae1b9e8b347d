"""Sync links: what ties a source, the bus and a target together."""

from zcbus.control.features.sync_link.endpoints import api
from zcbus.control.features.sync_link.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
