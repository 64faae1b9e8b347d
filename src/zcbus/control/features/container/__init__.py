"""Containers, their agents and services, and requests to agents."""

from zcbus.control.features.container.endpoints import api
from zcbus.control.features.container.messages import EN, ZH
from zcbus.control.features.container.start import prepare
from zcbus.control.platform.agent_requests import remove_expired
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, prepare=prepare, periodic=(Periodic("agent-requests", 60.0, remove_expired),))
