"""The encode tool: turns text into letters and digits that only this installation can turn back."""

from zcbus.control.features.encode_tool.endpoints import api
from zcbus.control.features.encode_tool.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
