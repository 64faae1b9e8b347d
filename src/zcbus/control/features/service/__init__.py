"""Service management: the services of all containers, what can be asked of them, and what was answered."""

from zcbus.control.features.service.endpoints import api
from zcbus.control.features.service.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
