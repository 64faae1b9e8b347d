"""Notices: alerts and messages that leave the platform, by mail and webhooks, and what became of each."""

from zcbus.control.features.notification.dispatch import deliver, remove_old
from zcbus.control.features.notification.endpoints import api
from zcbus.control.features.notification.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(Periodic("notice-delivery", 1.0, deliver), Periodic("notice-clean-up", 3600.0, remove_old)),
)
