"""The control plane's side of its talk with agents."""

from zcbus.control.features.agent_gateway.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api, {}, {})
