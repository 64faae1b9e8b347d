"""Key figures by tenant, container, node and link: a period against the one before."""

from zcbus.control.features.index_statistics.endpoints import api
from zcbus.control.features.index_statistics.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
