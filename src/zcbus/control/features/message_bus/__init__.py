"""Message bus: topics of a container's bus, their readers, records and retention."""

from zcbus.control.features.message_bus.endpoints import api
from zcbus.control.features.message_bus.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
