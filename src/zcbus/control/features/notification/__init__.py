"""Notices: alerts and messages sent by mail and webhooks, and the states of their deliveries."""

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
