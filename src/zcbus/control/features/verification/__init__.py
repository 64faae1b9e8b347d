"""Verifying subscribed tables in the background: what is asked for, what was told of it, and repairing what differs."""

from zcbus.control.features.verification.endpoints import api
from zcbus.control.features.verification.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
