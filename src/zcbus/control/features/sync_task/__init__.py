"""Sync tasks: the tables that run on a link, and how far they are."""

from zcbus.control.features.sync_task.endpoints import api
from zcbus.control.features.sync_task.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
