"""How to sign in to the hosts of agents."""

from zcbus.control.features.machine.endpoints import api
from zcbus.control.features.machine.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
