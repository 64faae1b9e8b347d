"""Sync links: what ties a source, the bus and a target together."""

from zcbus.control.features.sync_link.endpoints import api
from zcbus.control.features.sync_link.messages import EN, ZH
from zcbus.control.features.sync_link.taking_in import SECONDS, look_for_new_tables
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("new-tables", SECONDS, look_for_new_tables),))
